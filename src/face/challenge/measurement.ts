import type { Pose } from "../engine/pose.ts";
import type { FaceMeasurement } from "../measurement.ts";

/** Two numbers along the axes of the image. */
type Pair = { readonly x: number; readonly y: number };

/** One frame of a step. `width` and `height` are those of the decoded frame. */
export type FrameMeasurement = {
  /** False for bytes that are no image within the limits. */
  readonly isImage: boolean;
  /** The width of every face over that of the subject, whose 1 is first. */
  readonly faceWidths: readonly number[];
  /** The mesh network's probability of a face; absent without one. */
  readonly presence?: number;
  readonly pose?: Pose;
  /** IED in pixels. */
  readonly eyeDistancePx?: number;
};

/** What the tracker followed through the frames of a step that show a face (motion/follow.ts). */
export type StepMotion = {
  /** Growth of the sine of the head's angle to the right side of the image, and downwards. About 0 for a sheet. */
  readonly b?: Pair;
  readonly pointsFirstToLast: number;
  readonly pointsBetweenMin: number;
  readonly eyeStepMax: number;
  readonly iedStepMax: number;
  /** Pairs of neighbouring frames in which too few landmarks were followed to fix a rotation. */
  readonly cutPairs: number;
};

export type StepMeasurement = {
  readonly frames: readonly FrameMeasurement[];
  /** dlib's cosine to the best image: of the first frame with a face, and of the last. */
  readonly cosines?: readonly [first: number, last: number];
  /** Absent with fewer than two frames that show a face. */
  readonly motion?: StepMotion;
};

/** The measurement of a capture: plain values, which cross from the inference thread. */
export type ChallengeMeasurement = {
  /** The best image, with template and liveness cues. */
  readonly best: FaceMeasurement;
  /** One for each step; empty for a capture without a challenge, or where the best image shows no face. */
  readonly steps: readonly StepMeasurement[];
  /** Model name to SHA-256 of the weights that contributed. */
  readonly models: Readonly<Record<string, string>>;
};

/** The measuring of captures as the main thread sees it, through the pool. Leaves the queue when `signal` aborts. */
export type MeasureChallenge = (
  capture: ChallengeFrames,
  signal?: AbortSignal,
) => Promise<ChallengeMeasurement>;

/** The frames of a container: the best image, then those of each step in order. */
export type ChallengeFrames = {
  readonly best: Uint8Array;
  readonly steps: readonly (readonly Uint8Array[])[];
};
