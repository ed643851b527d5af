import type { TurnDirection } from "#contract/capture";
import type { Pose } from "../engine/pose.ts";
import type { ChallengeVerdict } from "./challenge.ts";
import { judgePath } from "./judge-path.ts";
import type { StepMeasurement } from "./measurement.ts";
import { showsOneFace } from "./one-face.ts";
import type { ChallengePolicy } from "./policy.ts";
import { posesOf, rotationOf, senses } from "./step-rotation.ts";
import { again, fail } from "./verdict.ts";

/** The checks of one step, in their order. */
export type StepCheck = "face" | "person" | "best" | "continuity" | "rotation" | "path" | "relief";

/** What a step is judged by beside its measurement. */
export type AskedStep = {
  readonly turn: TurnDirection;
  /** Milliseconds of each frame by the page's clock; absent for a record of an earlier policy. */
  readonly times?: readonly number[] | undefined;
  /** Pose of the best image. */
  readonly bestPose: Pose;
};

/** The verdict of one check of one step; undefined if the check holds. With NaN no check holds. */
export const judgeStep = (
  check: StepCheck,
  step: StepMeasurement | undefined,
  { turn: asked, times, bestPose }: AskedStep,
  policy: ChallengePolicy,
): ChallengeVerdict | undefined => {
  if (step === undefined) return again("face_lost", "face_lost");
  const judges = {
    face: () => judgeFaces(step, policy),
    person: () => judgePerson(step, policy),
    best: () => judgeBest(step, bestPose, policy),
    continuity: () => judgeContinuity(step, policy),
    rotation: () => judgeRotation(step, asked, policy),
    path: () => judgePath(step, { asked, times }, policy),
    relief: () => judgeRelief(step, asked, policy),
  } as const satisfies Readonly<Record<StepCheck, () => ChallengeVerdict | undefined>>;
  return judges[check]();
};

const judgeRotation = (
  step: StepMeasurement,
  asked: TurnDirection,
  policy: ChallengePolicy,
): ChallengeVerdict | undefined =>
  rotationOf(step, asked, policy).degrees >= policy.rotationDegreesMin
    ? undefined
    : again("moved_too_little", "turn_more");

const judgeFaces = ({ frames }: StepMeasurement, policy: ChallengePolicy): ChallengeVerdict | undefined => {
  const lost = frames.filter((frame) => !showsOneFace(frame, policy));
  if (frames.length > 1 && lost.length <= policy.lostFramesMax) return undefined;
  const isCrowded = lost.some(({ faceWidths }) => (faceWidths[1] ?? 0) >= policy.secondFaceShareMin);
  return again("face_lost", isCrowded ? "many_faces" : "face_lost");
};

const judgePerson = (
  { cosines }: StepMeasurement,
  { samePersonCosineMin }: ChallengePolicy,
): ChallengeVerdict | undefined =>
  cosines !== undefined && cosines.length > 1 && cosines.every((cosine) => cosine >= samePersonCosineMin)
    ? undefined
    : fail("other_face");

/**
 * The best image shows the head as the first frame of the step does: the same pose, and landmarks that lie
 * upon each other.
 */
const judgeBest = (
  step: StepMeasurement,
  bestPose: Pose,
  { bestDegreesMax, bestDistanceMax, ...faces }: ChallengePolicy,
): ChallengeVerdict | undefined => {
  const [first] = posesOf(step, faces);
  const isNear =
    first !== undefined &&
    Math.abs(first.yawDegrees - bestPose.yawDegrees) <= bestDegreesMax &&
    Math.abs(first.pitchDegrees - bestPose.pitchDegrees) <= bestDegreesMax;
  return isNear && (step.bestDistance ?? Number.NaN) <= bestDistanceMax
    ? undefined
    : again("best_apart", "hold_still");
};

const judgeContinuity = (
  { motion }: StepMeasurement,
  policy: ChallengePolicy,
): ChallengeVerdict | undefined => {
  if (motion === undefined) return again("moved_too_fast", "move_slower");
  if (motion.cutPairs >= policy.cutPairsMin) return fail("cut");
  const isSteady =
    motion.eyeStepMax < policy.eyeStepMax &&
    motion.iedStepMax < policy.iedStepMax &&
    motion.pointsBetweenMin >= policy.pointsBetweenMin &&
    motion.pointsFirstToLast >= policy.pointsFirstToLastMin;
  return isSteady ? undefined : again("moved_too_fast", "move_slower");
};

const judgeRelief = (
  step: StepMeasurement,
  asked: TurnDirection,
  policy: ChallengePolicy,
): ChallengeVerdict | undefined => {
  const { axis, axisSign } = senses[asked];
  const relief = axisSign * (step.motion?.b?.[axis] ?? Number.NaN);
  const { degrees, sine } = rotationOf(step, asked, policy);
  if (relief >= policy.reliefMin && relief >= policy.reliefShareMin * sine) return undefined;
  const isFlat = relief < policy.flatReliefMax && degrees >= policy.flatDegreesMin;
  return isFlat ? fail("flat") : again("relief_unclear", "turn_more");
};
