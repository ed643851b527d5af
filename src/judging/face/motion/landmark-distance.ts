import { type EyeCentres, inEyeUnits, levelOf, toCrop } from "./levelling.ts";
import { stillLandmarks } from "./still-landmarks.ts";

/** The landmarks of a face with its eyes. */
export type LandmarkedFace = {
  readonly eyes: EyeCentres;
  readonly landmarks: readonly (readonly [x: number, y: number, ...rest: number[]])[];
};

/**
 * Mean distance of the still landmarks of two faces, each with its eyes level at the same place, in eye
 * distances. Undefined for eyes that are too near.
 */
export const landmarkDistance = (one: LandmarkedFace, other: LandmarkedFace): number | undefined => {
  const [a, b] = [levelledPlaces(one), levelledPlaces(other)];
  if (a === undefined || b === undefined) return undefined;
  let sum = 0;
  for (let i = 0; i < a.length; i += 2) sum += Math.hypot(a[i]! - b[i]!, a[i + 1]! - b[i + 1]!);
  return sum / (a.length / 2);
};

const levelledPlaces = ({ eyes, landmarks }: LandmarkedFace): Float64Array | undefined => {
  const level = levelOf(eyes);
  if (level === undefined) return undefined;
  const places = Float64Array.from(stillLandmarks.flatMap((i) => [landmarks[i]![0], landmarks[i]![1]]));
  toCrop(level, places);
  return inEyeUnits(places);
};
