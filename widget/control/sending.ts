import { encodeJpeg, fitWithin, jpegQuality, longestSide } from "../camera/frames.ts";
import type { Emit } from "../element/events.ts";
import { type Source, screenFor, type Target } from "../flow/flow.ts";
import type { OwnKey } from "../session/page-key.ts";
import type { PageState, StepAnswer, StepName } from "../session/page-state.ts";
import type { Session } from "../session/session.ts";
import { upload } from "../session/upload.ts";
import type { Frame } from "../view/frame.ts";
import type { Texts } from "../view/texts.ts";
import { pause, pauseUntilOnline } from "./clock.ts";
import type { Captured } from "./live.ts";
import { bytesOf, writeFaceContainer } from "./take-face.ts";

/** An image that waits for the person's yes, with the bytes that are sent. */
export type Prepared = {
  readonly target: Target;
  readonly bytes: Uint8Array;
  readonly preview: Blob;
  readonly source: Source;
};

export const prepareCaptured = async (target: Target, captured: Captured, key: OwnKey): Promise<Prepared> => {
  const { best, challenge, steps } = captured;
  const bytes =
    target.step === "face"
      ? await writeFaceContainer(key, challenge, best, steps)
      : await bytesOf(best.image);
  return { target, bytes, preview: best.image, source: "camera" };
};

/** A file that cannot be sent. */
export class FileFault extends Error {
  readonly code: "page_file_large" | "page_file_unreadable";
  constructor(code: "page_file_large" | "page_file_unreadable") {
    super(code);
    this.code = code;
  }
}

/** A larger file is no photograph of a telephone. */
const fileBytesMax = 30 * 1024 * 1024;

/**
 * The file as a JPEG of a size that the service takes. The browser rotates it as its EXIF says, and nothing
 * else of the file is sent: no place and no device.
 */
const toJpeg = async (file: File, longest: number): Promise<Blob> => {
  if (file.size > fileBytesMax) throw new FileFault("page_file_large");
  let bitmap: ImageBitmap;
  try {
    bitmap = await createImageBitmap(file, { imageOrientation: "from-image" });
  } catch {
    throw new FileFault("page_file_unreadable");
  }
  const { width, height } = fitWithin(bitmap.width, bitmap.height, longest);
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  canvas.getContext("2d")?.drawImage(bitmap, 0, 0, width, height);
  bitmap.close();
  return encodeJpeg(canvas, jpegQuality.best);
};

export type SendingDeps = {
  readonly session: Session;
  readonly emit: Emit;
  readonly frame: Frame;
  readonly signal: AbortSignal;
  readonly isHandedOff: () => boolean;
  readonly texts: () => Texts;
};

/** How often the first screen asks whether the telephone is done. */
const watchMs = 3_000;

export const makeSending = ({ session, emit, frame, signal, isHandedOff, texts }: SendingDeps) => ({
  prepareFile: async (target: Target, file: File): Promise<Prepared> => {
    const preview = await toJpeg(file, target.step === "face" ? longestSide.best : longestSide.document);
    const best = { image: preview, capturedMs: 0 };
    const bytes =
      target.step === "face"
        ? await writeFaceContainer(await session.key(), undefined, best, [])
        : await bytesOf(preview);
    emit("idem-captured", { step: target.step, source: "upload", bytes: bytes.length, quality: 0 });
    return { target, bytes, preview, source: "upload" };
  },

  send: ({ target, bytes, source }: Prepared): Promise<StepAnswer> =>
    upload(
      { ...target, bytes, source: source === "camera" && isHandedOff() ? "handoff" : source },
      {
        call: session.call,
        pause: (ms) => pauseUntilOnline(ms, signal),
        report: frame.setProgress,
        reportAhead: (ahead) => {
          const name = ahead === undefined ? "judging" : "ahead";
          frame.showPlace(texts().label(name, { count: ahead ?? 0 }));
        },
        reportOffline: (isOffline) => {
          frame.speaker.warn(isOffline ? texts().problem("page_offline") : "");
        },
      },
    ),

  /** Reads the state until the steps of this element are done elsewhere, or the person leaves the screen. */
  watch: async (
    isWatched: () => boolean,
    done: (page: PageState) => void,
    steps: readonly StepName[],
  ): Promise<void> => {
    while (!signal.aborted) {
      try {
        await pauseUntilOnline(watchMs, signal);
        if (!isWatched()) return;
        const page = await session.read();
        const { at } = screenFor(page, { steps });
        if (at === "finished" || at === "failed" || at === "cancelled" || at === "problem") {
          done(page);
          return;
        }
      } catch {
        // The next round asks again; the session's end is one of its answers.
        if (!signal.aborted) await pause(watchMs, signal).catch(() => undefined);
      }
    }
  },
});

export type Sending = ReturnType<typeof makeSending>;
