import type { PairTemplate } from "#judging/face/matching/template-kinds";

/** A unit vector with this cosine to `axisVector(length)`. */
export const vectorAt = (cosine: number, length: number): Float32Array => {
  const vector = new Float32Array(length);
  vector[0] = cosine;
  vector[length - 1] = Math.sqrt(1 - cosine ** 2);
  return vector;
};

/** The unit vector along the first axis. */
export const axisVector = (length: number): Float32Array => vectorAt(1, length);

/** A template of the bundled pair with these cosines to the axes. */
export const pairAt = (dlib: number, faceres: number, change: Partial<PairTemplate> = {}): PairTemplate => ({
  recogniser: "ab".repeat(72),
  dlib: vectorAt(dlib, 128),
  faceres: vectorAt(faceres, 1024),
  cohortScore: 1,
  ...change,
});
