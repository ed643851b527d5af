/** Bounds of order and times of a capture. */
export type SequencePolicy = {
  readonly intervalMsMin: number;
  readonly intervalMsMax: number;
  /** The longest capture without a challenge. */
  readonly passiveSpanMsMax: number;
  /** What a capture may take from its last frame to the service beside `finishMs`. */
  readonly arrivalMsMax: number;
};

/** Every threshold of the judges of a challenge. Stored decisions name the version, so a changed value needs a new one. */
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
  /** Between neighbours: the way of the eyes, and the change of their distance, in eye distances. */
  readonly eyeStepMax: number;
  readonly iedStepMax: number;
  /** Followed landmarks of 319, between neighbours, and from the first frame of a step to its last. */
  readonly pointsBetweenMin: number;
  readonly pointsFirstToLastMin: number;
  /** A step with so many pairs of neighbours that register nowhere was cut. */
  readonly cutPairsMin: number;
  /** Degrees of yaw or pitch in the direction that was asked, by the landmark network. */
  readonly rotationDegreesMin: number;
  /** The relief in that direction, and its share of the rotation that the network reports. */
  readonly reliefMin: number;
  readonly reliefShareMin: number;
  /** Under this relief, at a rotation of at least these degrees, the thing is flat. */
  readonly flatReliefMax: number;
  readonly flatDegreesMin: number;
};

/**
 * Defaults and their sources: the study of the turn challenge, simulated heads and sheets and real prints
 * (docs/measurements/liveness.md).
 *
 * Sequence: a page takes one frame in 120 ms (a camera in dim light gives 8 frames a second), and sends six of a turn of
 * at most two seconds, so neighbours are 60 to 400 ms apart. An upload begins within some seconds after the last frame.
 *
 * Person: dlib's cosine. Frames of one man have .947 and more (55 pairs, rotated ones among them), drawn heads that rise or
 * sink by 22 degrees .951 (22 steps); impostor pairs of LFW have .84 with a deviation of .034.
 *
 * Motion: a head that turns 20 degrees in half a second moves its eyes by .1 of their distance between frames. Heads keep
 * a median of 190 of 319 landmarks from the first frame to the last, sheets 262 and more.
 *
 * Relief: at .10, 41 of 41 simulated heads pass (least .138) and 0 of 210 sheets (most .079); followed from neighbour to
 * neighbour heads have .20 and more, sheets at most .03. At .35 of the network's rotation 35 of 40 of one man who turned
 * pass, and 1 of 135 pairs of real prints.
 */
export const defaultChallengePolicy: ChallengePolicy = {
  version: "challenge-1",
  sequence: { intervalMsMin: 60, intervalMsMax: 400, passiveSpanMsMax: 40_000, arrivalMsMax: 20_000 },
  presenceMin: 0.5,
  secondFaceShareMin: 0.35,
  lostFramesMax: 1,
  samePersonCosineMin: 0.94,
  eyeStepMax: 0.5,
  iedStepMax: 0.15,
  pointsBetweenMin: 120,
  pointsFirstToLastMin: 80,
  cutPairsMin: 2,
  rotationDegreesMin: 12,
  reliefMin: 0.1,
  reliefShareMin: 0.35,
  flatReliefMax: 0.06,
  flatDegreesMin: 15,
};
