/**
 * Two vectors of one face, each no longer than a unit vector, and its handicap: the excess of its cohort
 * score, halved over both faces of a pair.
 */
export type Descriptors = {
  readonly dlib: Float32Array;
  readonly faceres: Float32Array;
  /** Not negative. */
  readonly handicap: number;
};

/**
 * How the score of a pair follows from its two cosines: `base + dlib * cosine + faceres * cosine`, less the
 * mean of both handicaps. Weights are positive.
 */
export type Scoring = { readonly base: number; readonly dlib: number; readonly faceres: number };

export const dlibSize = 128;
export const faceresSize = 1024;

/**
 * Splits one unit vector of up to 1,152 values over the two parts of a row and pads it with zeros. With
 * `singleScoring` the score of a pair is then its cosine.
 */
export const splitVector = (vector: Float32Array): Descriptors => {
  const [dlib, faceres] = [new Float32Array(dlibSize), new Float32Array(faceresSize)];
  dlib.set(vector.subarray(0, dlibSize));
  faceres.set(vector.subarray(dlibSize));
  return { dlib, faceres, handicap: 0 };
};

export const singleScoring: Scoring = { base: 0, dlib: 1, faceres: 1 };

/**
 * Templates are unit vectors up to a thousandth of their squared length: no product of two lengths is
 * greater.
 */
export const lengthsMax = 1.001;

type Fuse = (dlibCosine: number, faceresCosine: number) => number;

/**
 * The weights of a fusion that is a weighted sum. Throws Error for any other fusion: its bounds would be
 * wrong.
 */
export const scoringOf = (fuse: Fuse): Scoring => {
  const base = fuse(0, 0);
  const scoring = { base, dlib: fuse(1, 0) - base, faceres: fuse(0, 1) - base };
  const isSum = [
    [0.9, 0.2],
    [0.7, -0.4],
    [1, 1],
  ].every(([a = 0, b = 0]) => Math.abs(base + scoring.dlib * a + scoring.faceres * b - fuse(a, b)) < 1e-9);
  if (!isSum || scoring.dlib <= 0 || scoring.faceres <= 0) {
    throw new Error(
      "The fused score is not a weighted sum of the cosines: one-to-many search needs other bounds",
    );
  }
  return scoring;
};
