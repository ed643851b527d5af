import { impostorStatistics } from "./reference.ts";

/**
 * Weight of faceres against dlib, both in impostor deviations. On all 7.3 million pairs of LFW's folds 1-5,
 * .4 rejects fewer genuine pairs than .5 at FMR 1e-2, 1e-3 and 1e-4; the difference is .1 to .2 points.
 */
const faceresWeight = 0.4;

/**
 * Plain fusion, before the score normalisation: each cosine in deviations of its impostors, dlib + .4
 * faceres.
 */
export const fuse = (dlibCosine: number, faceresCosine: number): number => {
  const { dlib, faceres } = impostorStatistics;
  return (
    (dlibCosine - dlib.mean) / dlib.deviation +
    (faceresWeight * (faceresCosine - faceres.mean)) / faceres.deviation
  );
};

/** Dot product of two unit vectors of one length. Four independent sums take half the time of one. */
export const cosine = (a: Float32Array, b: Float32Array): number => {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  const whole = a.length - (a.length % 4);
  for (let i = 0; i < whole; i += 4) {
    first += a[i]! * b[i]!;
    second += a[i + 1]! * b[i + 1]!;
    third += a[i + 2]! * b[i + 2]!;
    fourth += a[i + 3]! * b[i + 3]!;
  }
  for (let i = whole; i < a.length; i++) first += a[i]! * b[i]!;
  return first + second + (third + fourth);
};

/**
 * Writes `cosine` of two vectors with a third, to the last bit. Change both functions together. The values of
 * `vector` are read once for the two: a cohort score takes a fifth less time (docs/measurements/speed.md,
 * 'Loops of a face measurement').
 */
export const writeCosines = (
  cosines: Float64Array,
  at: number,
  one: Float32Array,
  other: Float32Array,
  vector: Float64Array,
): void => {
  let one0 = 0;
  let one1 = 0;
  let one2 = 0;
  let one3 = 0;
  let other0 = 0;
  let other1 = 0;
  let other2 = 0;
  let other3 = 0;
  const whole = vector.length - (vector.length % 4);
  for (let i = 0; i < whole; i += 4) {
    const first = vector[i]!;
    const second = vector[i + 1]!;
    const third = vector[i + 2]!;
    const fourth = vector[i + 3]!;
    one0 += one[i]! * first;
    one1 += one[i + 1]! * second;
    one2 += one[i + 2]! * third;
    one3 += one[i + 3]! * fourth;
    other0 += other[i]! * first;
    other1 += other[i + 1]! * second;
    other2 += other[i + 2]! * third;
    other3 += other[i + 3]! * fourth;
  }
  for (let i = whole; i < vector.length; i++) {
    one0 += one[i]! * vector[i]!;
    other0 += other[i]! * vector[i]!;
  }
  cosines[at] = one0 + one1 + (one2 + one3);
  cosines[at + 1] = other0 + other1 + (other2 + other3);
};
