import type { GuidanceCode } from "#contract/guidance";
import { jpegQuality, longestSide } from "../camera/frames.ts";
import { addLook, startBestFrame } from "../judge/best-frame.ts";
import type { DocumentShape } from "../judge/document-facts.ts";
import { judgeDocument } from "../judge/judge-document.ts";
import { directionOf, type FaceFacts, judgeFace } from "../judge/judge-face.ts";
import { pace, startPace } from "../judge/pace.ts";
import type { HeadPose } from "../judge/pose.ts";
import type { LookAnswer } from "../look/look.ts";
import { type LiveSession, lookOnce, makeGreyGuard } from "./live-session.ts";

/** What is captured, and how it is shown. */
export type Subject = "face" | DocumentShape;

export type BestImage = {
  readonly image: Blob;
  readonly capturedMs: number;
  readonly sharpness: number;
  /** How the head stood, for what follows; absent without a face. */
  readonly pose?: HeadPose;
};

/** A person needs some time to read the plate, and a camera as long to find its exposure. */
const settleMs = 600;

type Judged = { readonly code: GuidanceCode | undefined; readonly sharpness: number };

const judge = ({ face, document }: LookAnswer): Judged => {
  if (face !== undefined) return { code: judgeFace(face), sharpness: face.face?.sharpness ?? 0 };
  return document === undefined
    ? { code: "no_document", sharpness: 0 }
    : { code: judgeDocument(document), sharpness: document.sharpness };
};

const textOf = (
  { texts }: LiveSession,
  shown: GuidanceCode | "ready",
  face: FaceFacts | undefined,
): string => {
  if (shown === "ready") return texts.label("ready");
  if (shown === "center" && face?.face !== undefined) return texts.label(directionOf(face.face));
  return texts.guidance(shown);
};

const requestFor = (subject: Subject) =>
  subject === "face" ? ({ kind: "face" } as const) : ({ kind: "document", shape: subject } as const);

/** Shows what the frames say, at the pace of a reader. */
const makeGuide = (session: LiveSession) => {
  let current = startPace<GuidanceCode | "ready">(session.now());
  return (code: GuidanceCode | undefined, answer: LookAnswer): void => {
    const before = current.shown;
    current = pace(current, code ?? "ready", session.now());
    session.stage.showCorners(answer.document?.corners);
    session.stage.showReady(current.shown === "ready");
    if (current.shown !== undefined && current.shown !== before) {
      session.instruct(textOf(session, current.shown, answer.face), current.shown);
    }
  };
};

/**
 * Guides the person until a frame may be captured, and returns the best of some frames; the shutter takes
 * any.
 */
export const takeBest = async (session: LiveSession, subject: Subject): Promise<BestImage> => {
  const { grabber, now } = session;
  const longest = subject === "face" ? longestSide.best : longestSide.document;
  const guide = makeGuide(session);
  const guardGrey = makeGreyGuard();
  let best = startBestFrame;
  let kept: Omit<BestImage, "image"> = { capturedMs: 0, sharpness: 0 };
  for (let isDone = false; !isDone; ) {
    const answer = await lookOnce(session, requestFor(subject), longest);
    guardGrey(answer);
    const { code, sharpness } = judge(answer);
    guide(code, answer);
    const mayCapture = code === undefined && session.isAutomatic && now() >= settleMs;
    const looked = { mayCapture, isWanted: session.takeShutter(), score: sharpness, now: now() };
    const step = addLook(best, looked);
    ({ next: best, isDone } = step);
    if (step.keeps) {
      const pose = answer.face?.face?.pose;
      kept = { capturedMs: grabber.accept(), sharpness, ...(pose && { pose }) };
    }
  }
  return { ...kept, image: await grabber.encode(jpegQuality.best) };
};
