/** Bounds of order and times of a capture. */
export type SequencePolicy = {
  readonly intervalMsMin: number;
  readonly intervalMsMax: number;
  /** The longest capture without a challenge. */
  readonly passiveSpanMsMax: number;
  /** What a capture may take from its last frame to the service beside `finishMs`. */
  readonly arrivalMsMax: number;
};

/** Every threshold of the judge of a challenge. Stored decisions name the version. */
export type ChallengePolicy = {
  readonly version: string;
  readonly sequence: SequencePolicy;
  readonly presenceMin: number;
  /** A second face counts from this face-size ratio on. */
  readonly secondFaceShareMin: number;
  /** A step that lost more frames than this is captured again. */
  readonly lostFramesMax: number;
  /** dlib's cosine to the best image. */
  readonly samePersonCosineMin: number;
  readonly eyeStepMax: number;
  readonly iodStepMax: number;
  /** Followed landmarks, between neighbours and from the first frame of a step to its last. */
  readonly pointsBetweenMin: number;
  readonly pointsFirstToLastMin: number;
  /** Pairs of neighbours that register nowhere: from this number on the step is cut. */
  readonly cutPairsMin: number;
  /** Degrees of yaw or pitch in the direction that was asked, by the landmark network. */
  readonly turnDegreesMin: number;
  /** Relief in the direction that was asked, and its share of what the network's pose gives. */
  readonly reliefMin: number;
  readonly reliefShareMin: number;
  /** Under this relief, at a turn of at least these degrees, the thing is flat. */
  readonly flatReliefMax: number;
  readonly flatTurnDegreesMin: number;
};

/**
 * Defaults and their sources.
 *
 * Sequence: a page takes one frame in 120 ms (a camera in dim light gives 8 frames a second), and sends six of a turn of
 * at most two seconds, so neighbours are 60 to 400 ms apart. An upload begins within some seconds after the last frame.
 *
 * Same person: dlib's cosine. Frames of one man have .947 and more (55 pairs, rotated ones among them); impostor pairs of
 * LFW have .84 with a deviation of .034.
 */
export const defaultSequencePolicy: SequencePolicy = {
  intervalMsMin: 60,
  intervalMsMax: 400,
  passiveSpanMsMax: 40_000,
  arrivalMsMax: 20_000,
};
