/** Bounds of order and times of a capture. */
export type SequencePolicy = {
  readonly intervalMsMin: number;
  readonly intervalMsMax: number;
  /** The longest capture without a challenge. */
  readonly passiveSpanMsMax: number;
  /** What a capture may take from its last frame to the service beside `finishMs`. */
  readonly arrivalMsMax: number;
  /**
   * The shortest answer to a challenge, from its making to the announcement of its upload, by the service's
   * clock.
   */
  readonly answerMsMin: number;
  /** By how much the clock of a page may count more time than the service's clock. */
  readonly clockMsMax: number;
  /** Least time from the last frame of a step to the first of the next: the head turns back between them. */
  readonly turnBackMsMin: number;
};

/**
 * Every threshold of the judges of a challenge. Stored decisions name the version, so a changed value needs a
 * new one.
 */
export type ChallengePolicy = {
  readonly version: string;
  readonly sequence: SequencePolicy;
  readonly presenceMin: number;
  /** A second face counts from this face-size ratio on. */
  readonly secondFaceShareMin: number;
  /** A step that lost more frames than this is captured again. */
  readonly lostFramesMax: number;
  /** dlib's cosine to the best image, of every frame with a face. */
  readonly samePersonCosineMin: number;
  /**
   * The best image and the first frame of each step: degrees of yaw and pitch between them, and their
   * landmarks' mean distance.
   */
  readonly bestDegreesMax: number;
  readonly bestDistanceMax: number;
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
  /**
   * The way of the landmarks from the first frame to the last, between neighbours: most share of it, back on
   * it and beside it.
   */
  readonly alongMax: number;
  readonly backMax: number;
  readonly asideMax: number;
  /** A step with so many pairs that go back was put together. */
  readonly backPairsMin: number;
  /** Speed of the head between neighbours at the times that the page states. */
  readonly degreesPerSecondMax: number;
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
 * Sequence: a page takes one frame in 120 ms (a camera in dim light gives 8 frames a second), and sends six
 * of a turn of at most two seconds, so neighbours are 60 to 400 ms apart. An upload begins within some
 * seconds after the last frame. The page settles for 0.6 s and looks for 0.5 s before its best image, two
 * turns take 0.3 s each at least, and a person reacts to each task after 0.2 s: 2 s is less than any of its
 * captures take. Browsers round times to 0.1 s against fingerprinting, and the clocks of two processes
 * differ: 0.25 s.
 *
 * Person: dlib's cosine. Frames of one man have .947 and more (55 pairs, rotated ones among them), drawn
 * heads that rise or sink by 22 degrees .951 (22 steps); impostor pairs of LFW have .84 with a deviation of
 * .034.
 *
 * Motion: a head that turns 20 degrees in half a second moves its eyes by .1 of their distance between
 * frames. Heads keep a median of 190 of 319 landmarks from the first frame to the last, sheets 262 and more.
 *
 * Way: of drawn heads the greatest share between neighbours is .37, the least .05 (11 heads, both steps); of
 * turns without their middle the greatest is .44 and more, of shuffled ones the least -.17. Beside the way
 * heads have .20 at most (5 heads). A head that rotates by 20 degrees reaches about 120 degrees a second when
 * it is in a hurry (our choice; a page asks for no hurry).
 *
 * Best image: the page begins a step within 6 degrees of the best image, and the network's pose is right
 * within 3.2 degrees. Drawn heads have .025 at most between the landmarks, another pose by 25 degrees .087
 * and more, real frames of one sitting .043 (median, NUAA).
 *
 * Relief: at .10, 41 of 41 simulated heads pass (least .138) and 0 of 210 sheets (most .079); followed from
 * neighbour to neighbour heads have .20 and more, sheets at most .03. At .35 of the network's rotation 35 of
 * 40 of one man who turned pass, and 1 of 135 pairs of real prints.
 */
export const defaultChallengePolicy: ChallengePolicy = {
  version: "challenge-2",
  sequence: {
    intervalMsMin: 60,
    intervalMsMax: 400,
    passiveSpanMsMax: 40_000,
    arrivalMsMax: 20_000,
    answerMsMin: 2_000,
    clockMsMax: 250,
    turnBackMsMin: 200,
  },
  presenceMin: 0.5,
  secondFaceShareMin: 0.35,
  lostFramesMax: 1,
  samePersonCosineMin: 0.94,
  bestDegreesMax: 15,
  bestDistanceMax: 0.1,
  eyeStepMax: 0.5,
  iedStepMax: 0.15,
  pointsBetweenMin: 120,
  pointsFirstToLastMin: 80,
  cutPairsMin: 2,
  rotationDegreesMin: 12,
  alongMax: 0.45,
  backMax: 0.1,
  asideMax: 0.3,
  backPairsMin: 2,
  degreesPerSecondMax: 120,
  reliefMin: 0.1,
  reliefShareMin: 0.35,
  flatReliefMax: 0.06,
  flatDegreesMin: 15,
};
