import type { Places } from "./places.ts";
import { quantiseQuery } from "./quantise.ts";
import { type DotRows, makeDotRows } from "./scan-kernel.ts";
import { type Descriptors, dlibSize, faceresSize, lengthsMax, type Scoring } from "./scoring.ts";
import { dlibAt, faceresAt, type Segment, segmentRows } from "./segments.ts";

/** A face whose score with the query may reach what was asked for. */
export type Candidate = {
  readonly id: string;
  /** The pair's score is not above this. */
  readonly scoreMax: number;
};

export type Found = {
  /** Highest `scoreMax` first. */
  readonly candidates: readonly Candidate[];
  /** How many there are; more than were asked for where the list is cut. */
  readonly total: number;
};

/**
 * Every face whose score with the query may be `scoreMin` or more, the `limit` likeliest of them. None is missing: a row
 * is passed over only where an upper bound of its score is lower. Which of them do reach it, a comparison tells.
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

/** No rounded row is longer: its values are off by half of a 127th of the largest, which is at most 1. */
const roundedLengthMax = 1.2;

/** A query in the memory, with what its bounds need. */
type Asked = {
  readonly scoreMin: number;
  readonly dlibStep: number;
  readonly faceresStep: number;
  /** The score's part that no row changes, with what the query's own rounding may have taken off. */
  readonly base: number;
  /** The most that any second cosine adds. */
  readonly faceresMost: number;
};

/** Rows of one segment that are still in the race, and the bound of their first part; filled anew for each segment. */
type Race = { readonly rows: Int32Array; readonly bounds: Float64Array };

export const makeScan = (
  memory: WebAssembly.Memory,
  segments: readonly Segment[],
  places: Pick<Places, "idAt" | "size">,
  scoring: Scoring,
): Scan => {
  const dotRows = makeDotRows(memory);
  const race: Race = { rows: new Int32Array(segmentRows), bounds: new Float64Array(segmentRows) };
  return (query, scoreMin, limit) => {
    const asked = writeQuery(memory.buffer, query, scoreMin, scoring);
    const candidates: Candidate[] = [];
    for (const [n, segment] of segments.entries()) {
      const first = n * segmentRows;
      const count = Math.min(segmentRows, places.size() - first);
      const left = raceByDlib(memory.buffer, dotRows, segment, count, asked, race);
      raceByFaceres(memory.buffer, dotRows, segment, left, asked, race, (row, scoreMax) =>
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
): Asked => {
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

/** Keeps those of the first `count` rows that would reach the score with the best second cosine that there can be; says
 * how many. */
const raceByDlib = (
  buffer: ArrayBuffer,
  dotRows: DotRows,
  segment: Segment,
  count: number,
  { scoreMin, dlibStep, base, faceresMost }: Asked,
  { rows, bounds }: Race,
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

/** Tells those of the first `left` rows in the race that may reach the score by both cosines. */
const raceByFaceres = (
  buffer: ArrayBuffer,
  dotRows: DotRows,
  segment: Segment,
  left: number,
  { scoreMin, faceresStep, base, faceresMost }: Asked,
  { rows, bounds }: Race,
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
