import type { Face, Point } from "../detector/find-faces.ts";

/**
 * How a head stands, in degrees, from six points. Yaw grows to the person's own left, pitch when the head
 * sinks, roll clockwise in the image. A guide only: the service judges its own measurement.
 */
export type HeadPose = { readonly yaw: number; readonly pitch: number; readonly roll: number };

const degrees = (radians: number): number => (radians * 180) / Math.PI;
const minus = (a: Point, b: Point): Point => [a[0] - b[0], a[1] - b[1]];
const middle = (a: Point, b: Point): Point => [(a[0] + b[0]) / 2, (a[1] + b[1]) / 2];
const dot = (a: Point, b: Point): number => a[0] * b[0] + a[1] * b[1];

/**
 * Fitted to the service's own pose on 636 photographs of LFW, found at 128 px: the rest of the yaw has a
 * standard deviation of 2.3 degrees (95 % within 4.5), that of the pitch 4.0 (95 % within 7.7). Shares of the
 * face's width.
 */
const yawDegrees = 66.9;
const pitchDegrees = 88.1;
const frontalPitchDegrees = 11;

export const headPoseOf = (face: Face): HeadPose => {
  const across = minus(face.leftEye, face.rightEye);
  const eyesApart = Math.hypot(...across);
  if (eyesApart === 0) return { yaw: 90, pitch: 0, roll: 0 };
  const right: Point = [across[0] / eyesApart, across[1] / eyesApart];
  const down: Point = [-right[1], right[0]];
  const nose = minus(face.nose, middle(face.rightEar, face.leftEar));
  return {
    yaw: (yawDegrees * dot(nose, right)) / face.width,
    pitch: (pitchDegrees * dot(nose, down)) / face.width - frontalPitchDegrees,
    roll: degrees(Math.atan2(right[1], right[0])),
  };
};
