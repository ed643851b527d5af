import type { Places } from "./places.ts";
import { quantiseQuery } from "./quantise.ts";
import { type DotRows, makeDotRows } from "./scan-kernel.ts";
import { type Descriptors, dlibSize, faceresSize, lengthsMax, type Scoring } from "./scoring.ts";
import { dlibAt, faceresAt, type Segment, segmentRows } from "./segments.ts";

/** A face whose score with the query may reach the requested score. */
export type Candidate = {
  readonly id: string;
  /** The upper bound of the pair's score. */
  readonly scoreMax: number;
};

export type Found = {
  /** Highest `scoreMax` first. */
  readonly candidates: readonly Candidate[];
  /** The number of all candidates; more than the list holds if it is cut. */
  readonly total: number;
};

/**
 * Finds every face whose score with the query may be `scoreMin` or more, and returns the `limit` highest
 * bounds. It misses none: a row is skipped only if an upper bound of its score is lower. The exact comparison
 * decides which candidates reach the score. Made by {@link makeScan}.
 */
export type Scan = (query: Descriptors, scoreMin: number, limit: number) => Found;

// Addresses in the memory's first page.
const dlibQueryAt = 0;
const faceresQueryAt = dlibQueryAt + 2 * dlibSize;
const rowOffsetsAt = faceresQueryAt + 2 * faceresSize;
const chosenOffsetsAt = rowOffsetsAt + 4 * segmentRows;
const sumsAt = chosenOffsetsAt + 4 * segmentRows;

/** Factors and slacks are float32: four roundings by 2^-24 of at most 21, the weight of dlib. */
const arithmeticSlack = 1e-5;

/**
 * The greatest length of a rounded row: its values differ by half of a 127th of the largest value, which is
 * at most 1.
 */
const roundedLengthMax = 1.2;

/** A query in the memory, with the terms of its bounds. */
type PreparedQuery = {
  readonly scoreMin: number;
  readonly dlibStep: number;
  readonly faceresStep: number;
  /**
   * The part of the score that is equal for all rows, with the greatest effect of the query's own rounding.
   */
  readonly base: number;
  /** The greatest contribution of any second cosine. */
  readonly faceresMost: number;
};

/**
 * Rows of one segment that can still reach the score, with the bound of their first part. It is filled anew
 * for each segment.
 */
type Remaining = { readonly rows: Int32Array; readonly bounds: Float64Array };

export const makeScan = (
  memory: WebAssembly.Memory,
  segments: readonly Segment[],
  places: Pick<Places, "idAt" | "size">,
  scoring: Scoring,
): Scan => {
  const dotRows = makeDotRows(memory);
  const remaining: Remaining = { rows: new Int32Array(segmentRows), bounds: new Float64Array(segmentRows) };
  return (query, scoreMin, limit) => {
    const prepared = writeQuery(memory.buffer, query, scoreMin, scoring);
    const candidates: Candidate[] = [];
    for (const [n, segment] of segments.entries()) {
      const first = n * segmentRows;
      const count = Math.min(segmentRows, places.size() - first);
      const left = filterByDlib(memory.buffer, dotRows, segment, count, prepared, remaining);
      filterByFaceres(memory.buffer, dotRows, segment, left, prepared, remaining, (row, scoreMax) =>
        candidates.push({ id: places.idAt(first + row), scoreMax }),
      );
    }
    candidates.sort((a, b) => b.scoreMax - a.scoreMax);
    return { candidates: candidates.slice(0, limit), total: candidates.length };
  };
};

const writeQuery = (
  buffer: ArrayBuffer,
  { dlib, faceres, handicap }: Descriptors,
  scoreMin: number,
  scoring: Scoring,
): PreparedQuery => {
  const [short, long] = [quantiseQuery(dlib), quantiseQuery(faceres)];
  new Int16Array(buffer, dlibQueryAt, dlibSize).set(short.values);
  new Int16Array(buffer, faceresQueryAt, faceresSize).set(long.values);
  const offsets = new Int32Array(buffer, rowOffsetsAt, segmentRows);
  for (let row = 0; row < segmentRows; row++) {
    offsets[row] = row * dlibSize;
  }
  const rounding = roundedLengthMax * (scoring.dlib * short.error + scoring.faceres * long.error);
  return {
    scoreMin,
    dlibStep: short.step,
    faceresStep: long.step,
    base: scoring.base - handicap / 2 + rounding + arithmeticSlack,
    faceresMost: scoring.faceres * lengthsMax,
  };
};

/**
 * Keeps the rows among the first `count` that would reach the score with the best possible second cosine.
 * Returns their number.
 */
const filterByDlib = (
  buffer: ArrayBuffer,
  dotRows: DotRows,
  segment: Segment,
  count: number,
  { scoreMin, dlibStep, base, faceresMost }: PreparedQuery,
  { rows, bounds }: Remaining,
): number => {
  const { dlibFactors, dlibSlack } = segment;
  dotRows(dlibAt(segment, 0), rowOffsetsAt, count, dlibSize, dlibQueryAt, sumsAt);
  const sums = new Int32Array(buffer, sumsAt, segmentRows);
  const boundMin = scoreMin - base - faceresMost;
  let left = 0;
  for (let row = 0; row < count; row++) {
    const bound = sums[row]! * dlibStep * dlibFactors[row]! + dlibSlack[row]!;
    if (bound >= boundMin) {
      rows[left] = row;
      bounds[left] = bound;
      left += 1;
    }
  }
  return left;
};

/** Reports the rows among the first `left` remaining ones that may reach the score with both cosines. */
const filterByFaceres = (
  buffer: ArrayBuffer,
  dotRows: DotRows,
  segment: Segment,
  left: number,
  { scoreMin, faceresStep, base, faceresMost }: PreparedQuery,
  { rows, bounds }: Remaining,
  onCandidate: (row: number, scoreMax: number) => void,
): void => {
  const { faceresFactors, faceresSlack } = segment;
  const offsets = new Int32Array(buffer, chosenOffsetsAt, segmentRows);
  for (let i = 0; i < left; i++) {
    offsets[i] = rows[i]! * faceresSize;
  }
  dotRows(faceresAt(segment, 0), chosenOffsetsAt, left, faceresSize, faceresQueryAt, sumsAt);
  const sums = new Int32Array(buffer, sumsAt, segmentRows);
  for (let i = 0; i < left; i++) {
    const row = rows[i]!;
    const second = sums[i]! * faceresStep * faceresFactors[row]! + faceresSlack[row]!;
    const scoreMax = base + bounds[i]! + Math.min(faceresMost, second);
    if (scoreMax >= scoreMin) {
      onCandidate(row, scoreMax);
    }
  }
};
