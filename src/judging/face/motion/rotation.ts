import type { Pose } from "../engine/pose.ts";
import type { Pair } from "./relief.ts";

/**
 * The rotation of a head between two poses of the landmark network, in the senses of a followed rotation
 * (follow.ts): growth of the sines to the right side of the image and downwards. The pitch of a pose falls
 * downwards.
 */
export const rotationBetween = (one: Pose, other: Pose): Pair => ({
  x: sine(other.yawDegrees) - sine(one.yawDegrees),
  y: sine(one.pitchDegrees) - sine(other.pitchDegrees),
});

const sine = (degrees: number): number => Math.sin((degrees * Math.PI) / 180);
