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

/** What moved between two neighbouring frames of a step that show a face. */
export type PairMotion = {
  /**
   * Places of both frames in their step. A frame without a face lies between places that are no neighbours.
   */
  readonly frames: readonly [from: number, to: number];
  /** Way of the middle of the eyes, and change of their distance, in eye distances of the earlier frame. */
  readonly eyeStep: number;
  readonly iedStep: number;
  /**
   * Median way of the followed landmarks in the levelled crops, in eye distances; absent for fewer than 60.
   */
  readonly landmarkStep?: number;
  /**
   * What the later frame adds to the way of the landmarks from the first frame to the last: its share along
   * that way, and beside it. Absent for fewer than 60 landmarks in all frames.
   */
  readonly along?: number;
  readonly aside?: number;
};

/** What the tracker followed through the frames of a step that show a face (motion/follow.ts). */
export type StepMotion = {
  /**
   * Growth of the sine of the head's angle to the right side of the image, and downwards. About 0 for a
   * sheet.
   */
  readonly b?: Pair;
  readonly pointsFirstToLast: number;
  readonly pointsBetweenMin: number;
  readonly eyeStepMax: number;
  readonly iedStepMax: number;
  /** Pairs of neighbouring frames in which too few landmarks were followed to fix a rotation. */
  readonly cutPairs: number;
  /** One for each pair of neighbours, in order. */
  readonly pairs: readonly PairMotion[];
};

export type StepMeasurement = {
  readonly frames: readonly FrameMeasurement[];
  /** dlib's cosine to the best image, of each frame with a face in order. */
  readonly cosines?: readonly number[];
  /**
   * Mean distance of the landmarks of the best image from those of the first frame with a face, in eye
   * distances.
   */
  readonly bestDistance?: number;
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

/**
 * The measuring of captures as the main thread sees it, through the pool. Leaves the queue when `signal`
 * aborts.
 */
export type MeasureChallenge = (
  capture: ChallengeFrames,
  signal?: AbortSignal,
) => Promise<ChallengeMeasurement>;

/** The frames of a container: the best image, then those of each step in order. */
export type ChallengeFrames = {
  readonly best: Uint8Array;
  readonly steps: readonly (readonly Uint8Array[])[];
};
