import type { TurnDirection } from "#contract/capture";
import { turnDirections } from "#contract/capture";
import { writeContainer } from "#judging/face/challenge/write-container";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { shapeOf } from "#sandbox/specimen/drawn-person";
import { scanFace } from "#sandbox/specimen/face-scan";
import { type makePageKey, placesOf } from "#support/face/challenge/captures";
import { drawCapture } from "#support/face/challenge/drawn-captures";

/** The frames of a drawn person: the best image, and six frames of each rotation. JPEG. */
export type TurningHead = {
  readonly best: Uint8Array;
  readonly rotations: ReadonlyMap<TurnDirection, readonly Uint8Array[]>;
};

type PageSigner = Awaited<ReturnType<typeof makePageKey>>;

const degrees = 18;

/** Draws a person who rotates the head in every direction: some seconds of a processor. */
export const drawTurningHead = async (seed: number): Promise<TurningHead> => {
  const imaging = makeImaging({ limits: defaultImagingLimits });
  const light = { light: [-0.4, 0.4, 0.9], background: [150, 150, 150] } as const;
  const scan = scanFace(shapeOf(seed, "F"), { side: 320, ...light, seed });
  const drawn = drawCapture({ scan, kind: "head", rotations: turnDirections, degrees, seed: 106 + seed });
  const steps = await Promise.all(
    drawn.steps.map((frames) => Promise.all(frames.map((frame) => imaging.encodeJpeg(frame, 85)))),
  );
  return {
    best: await imaging.encodeJpeg(drawn.best, 90),
    rotations: new Map(turnDirections.map((turn, i) => [turn, steps[i]!])),
  };
};

/** What the frames of a container state: no page may state more than passed since its challenge. */
export const captureMs = placesOf(2).at(-1)!.capturedMs;

/** The signed container of that person for a challenge. */
export const captureOf = (
  head: TurningHead,
  challenge: string,
  rotations: readonly TurnDirection[],
  key: PageSigner,
): Promise<Uint8Array> => {
  const images = [head.best, ...rotations.flatMap((turn) => head.rotations.get(turn) ?? [])];
  const frames = placesOf(rotations.length).map((place, i) => ({ ...place, jpeg: images[i]! }));
  return writeContainer({ challenge, key, frames });
};
