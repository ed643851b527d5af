import { solveLinear } from "#contract/statistics/linear-system";
import { upperMedian } from "#contract/statistics/quantile";

/** Two numbers, along the image's axes. */
export type Pair = { readonly x: number; readonly y: number };

/** What no bent or tilted sheet explains between two frames. */
export type Relief = {
  /**
   * The rotation of a head: (sin yaw2 - sin yaw1, sin pitch1 - sin pitch2), in the senses of `poseOf`
   * (pose.ts). About 0 for a sheet, however it is bent.
   */
  readonly b: Pair;
  /** The approach of a head, in eye distances of depth: IED (1 / distance2 - 1 / distance1). */
  readonly approach: number;
  /** Median distance of a point from the fit, in eye distances. */
  readonly residual: number;
};

/**
 * Points of two frames in eye units (levelling.ts), x and y in turns, and the usual height of each point in
 * the same unit.
 */
export type PointPairs = {
  readonly from: Float64Array;
  readonly to: Float64Array;
  readonly heights: Float64Array;
  /** 1 for the points that count. */
  readonly isKept: Uint8Array;
};

/** Fewer points fix 15 numbers too poorly: the study fitted 60 and more. */
export const reliefPointsMin = 60;
const rounds = 8;
/**
 * A point farther from the fit than this many medians counts less: 1.85 medians are about 1.25 deviations of
 * a plane's noise.
 */
const farFrom = 1.85;
const unknowns = 15;

/**
 * Fits to = S(from) + a Z from + b Z by least squares, with points that were followed wrongly counting
 * little. S is any polynomial of second degree: tilt, perspective and bending of a sheet. Z is the usual
 * height of a point of a face, which no such polynomial follows: nose, brows and sockets. Undefined for too
 * few points.
 */
export const fitRelief = (pairs: PointPairs): Relief | undefined => {
  const kept = keptOf(pairs.isKept);
  if (kept.length < reliefPointsMin) return undefined;
  const weights = new Float64Array(kept.length).fill(1);
  const distances = new Float64Array(kept.length);
  let fit: Float64Array | undefined;
  let residual = 0;
  for (let round = 0; round < rounds; round++) {
    fit = solveLinear(normalEquations(pairs, kept, weights));
    if (fit === undefined) return undefined;
    residual = measureDistances(pairs, kept, fit, distances);
    const near = farFrom * (residual + 1e-6);
    for (let k = 0; k < kept.length; k++) weights[k] = 1 / Math.max(1, distances[k]! / near) ** 2;
  }
  return fit && { b: { x: fit[13]!, y: fit[14]! }, approach: fit[12]!, residual };
};

const keptOf = (isKept: Uint8Array): Int32Array =>
  Int32Array.from(isKept.keys()).filter((i) => isKept[i] === 1);

/**
 * Nine coefficients of one point: the six of a polynomial, then a and b; where they stand in the row for x
 * and for y.
 */
const columnsX = [0, 1, 2, 3, 4, 5, 12, 13] as const;
const columnsY = [6, 7, 8, 9, 10, 11, 12, 14] as const;

/** Fills the terms that both rows of a point share; the seventh is `z` times its x, or times its y. */
const fillTerms = (terms: Float64Array, { from, heights }: PointPairs, i: number): void => {
  const [x, y] = [from[2 * i]!, from[2 * i + 1]!];
  terms[0] = 1;
  terms[1] = x;
  terms[2] = y;
  terms[3] = x * x;
  terms[4] = x * y;
  terms[5] = y * y;
  terms[7] = heights[i]!;
};

const normalEquations = (pairs: PointPairs, kept: Int32Array, weights: Float64Array): Float64Array[] => {
  const system = Array.from({ length: unknowns }, () => new Float64Array(unknowns + 1));
  const { to } = pairs;
  const terms = new Float64Array(8);
  for (let k = 0; k < kept.length; k++) {
    const i = kept[k]!;
    fillTerms(terms, pairs, i);
    terms[6] = terms[7]! * terms[1]!;
    addEquation(system, columnsX, terms, to[2 * i]!, weights[k]!);
    terms[6] = terms[7]! * terms[2]!;
    addEquation(system, columnsY, terms, to[2 * i + 1]!, weights[k]!);
  }
  return system;
};

const addEquation = (
  system: readonly Float64Array[],
  columns: readonly number[],
  terms: Float64Array,
  value: number,
  weight: number,
): void => {
  for (let i = 0; i < columns.length; i++) {
    const row = system[columns[i]!]!;
    const term = terms[i]! * weight;
    for (let j = 0; j < columns.length; j++) row[columns[j]!]! += term * terms[j]!;
    row[unknowns]! += term * value;
  }
};

/** Distance of every point from the fit; their median is returned. */
const measureDistances = (
  pairs: PointPairs,
  kept: Int32Array,
  fit: Float64Array,
  distances: Float64Array,
): number => {
  const { to } = pairs;
  const terms = new Float64Array(8);
  const valueOf = (columns: readonly number[]): number =>
    columns.reduce((sum, column, i) => sum + fit[column]! * terms[i]!, 0);
  for (let k = 0; k < kept.length; k++) {
    const i = kept[k]!;
    fillTerms(terms, pairs, i);
    terms[6] = terms[7]! * terms[1]!;
    const across = valueOf(columnsX) - to[2 * i]!;
    terms[6] = terms[7]! * terms[2]!;
    distances[k] = Math.hypot(across, valueOf(columnsY) - to[2 * i + 1]!);
  }
  return upperMedian([...distances]);
};
