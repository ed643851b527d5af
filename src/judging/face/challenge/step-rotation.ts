import type { TurnDirection } from "#contract/capture";
import type { Pose } from "../engine/pose.ts";
import { rotationBetween } from "../motion/rotation.ts";
import type { StepMeasurement } from "./measurement.ts";
import { showsOneFace } from "./one-face.ts";
import type { ChallengePolicy } from "./policy.ts";

type FacePolicy = Pick<ChallengePolicy, "presenceMin" | "secondFaceShareMin">;

/** The poses of the frames that show one face. */
export const posesOf = ({ frames }: StepMeasurement, policy: FacePolicy): readonly Pose[] =>
  frames
    .filter((frame) => showsOneFace(frame, policy))
    .flatMap(({ pose }) => (pose === undefined ? [] : [pose]));

/**
 * How far the head rotated in the direction that was asked, by the landmark network: degrees, and growth of
 * the sine.
 */
export const rotationOf = (
  step: StepMeasurement,
  asked: TurnDirection,
  policy: FacePolicy,
): { readonly degrees: number; readonly sine: number } => {
  const poses = posesOf(step, policy);
  const [first, last] = [poses[0], poses.at(-1)];
  if (first === undefined || last === undefined) return { degrees: Number.NaN, sine: Number.NaN };
  const { angle, sign, axis, axisSign } = senses[asked];
  return {
    degrees: sign * (last[angle] - first[angle]),
    sine: axisSign * rotationBetween(first, last)[axis],
  };
};

/** The angle of engine/pose.ts that each direction changes, and the axis of the relief: y grows downwards. */
export const senses = {
  left: { angle: "yawDegrees", sign: 1, axis: "x", axisSign: 1 },
  right: { angle: "yawDegrees", sign: -1, axis: "x", axisSign: -1 },
  up: { angle: "pitchDegrees", sign: 1, axis: "y", axisSign: -1 },
  down: { angle: "pitchDegrees", sign: -1, axis: "y", axisSign: 1 },
} as const;
