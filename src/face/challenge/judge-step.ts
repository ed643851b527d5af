import type { TurnDirection } from "#contract/capture";
import type { GuidanceCode } from "#contract/guidance";
import { rotationBetween } from "../motion/rotation.ts";
import type { ChallengeReason, ChallengeVerdict } from "./challenge.ts";
import type { FrameMeasurement, StepMeasurement } from "./measurement.ts";
import type { ChallengePolicy } from "./policy.ts";

/** The checks of one step, in their order. */
export type StepCheck = "face" | "person" | "continuity" | "rotation" | "relief";

/** The verdict of one check of one step; undefined if it holds. A number that is none holds nowhere. */
export const judgeStep = (
  check: StepCheck,
  step: StepMeasurement | undefined,
  asked: TurnDirection,
  policy: ChallengePolicy,
): ChallengeVerdict | undefined => {
  if (step === undefined) return again("face_lost", "face_lost");
  const judges = {
    face: () => judgeFaces(step, policy),
    person: () => judgePerson(step, policy),
    continuity: () => judgeContinuity(step, policy),
    rotation: () => judgeRotation(step, asked, policy),
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

/** A verdict that the person can correct. */
export const again = (reason: ChallengeReason, ...guidance: readonly GuidanceCode[]): ChallengeVerdict => ({
  result: "again",
  reason,
  guidance,
});
const fail = (reason: ChallengeReason): ChallengeVerdict => ({ result: "fail", reason, guidance: [] });

/** Whether a frame shows exactly one face. The engine leaves other frames out of motion and person. */
export const showsOneFace = (
  { presence, faceWidths }: Pick<FrameMeasurement, "presence" | "faceWidths">,
  { presenceMin, secondFaceShareMin }: Pick<ChallengePolicy, "presenceMin" | "secondFaceShareMin">,
): boolean => (presence ?? 0) >= presenceMin && !((faceWidths[1] ?? 0) >= secondFaceShareMin);

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
  cosines?.every((cosine) => cosine >= samePersonCosineMin) === true ? undefined : fail("other_face");

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

/** How far the head rotated in the direction that was asked, by the landmark network: degrees, and growth of the sine. */
const rotationOf = (
  { frames }: StepMeasurement,
  asked: TurnDirection,
  policy: ChallengePolicy,
): { readonly degrees: number; readonly sine: number } => {
  const poses = frames
    .filter((frame) => showsOneFace(frame, policy))
    .flatMap(({ pose }) => (pose === undefined ? [] : [pose]));
  const [first, last] = [poses[0], poses.at(-1)];
  if (first === undefined || last === undefined) return { degrees: Number.NaN, sine: Number.NaN };
  const { angle, sign, axis, axisSign } = senses[asked];
  return {
    degrees: sign * (last[angle] - first[angle]),
    sine: axisSign * rotationBetween(first, last)[axis],
  };
};

/** The angle of engine/pose.ts that each direction changes, and the axis of the relief: y grows downwards. */
const senses = {
  left: { angle: "yawDegrees", sign: 1, axis: "x", axisSign: 1 },
  right: { angle: "yawDegrees", sign: -1, axis: "x", axisSign: -1 },
  up: { angle: "pitchDegrees", sign: 1, axis: "y", axisSign: -1 },
  down: { angle: "pitchDegrees", sign: -1, axis: "y", axisSign: 1 },
} as const;

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
