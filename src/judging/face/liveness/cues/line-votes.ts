import { countOf, type EdgeMap, strongestOf } from "./edge-map.ts";

/** Every `step`-th row of a map, from a whole number to `to`. */
export type SampledRows = { readonly from: number; readonly to: number; readonly step: number };

/** Lines of `count` whole offsets from `low` (see Line). No slope is steeper than `slopeMax`. */
export type Offsets = {
  readonly low: number;
  readonly count: number;
  readonly pivot: number;
  readonly slopeMax: number;
};

export type LineVotes = {
  /** Sampled pixels of a line. */
  readonly places: number;
  /**
   * For each offset, at least the count of the most frequent sign along its line. A pixel that is a tie
   * between two columns always counts. The next call overwrites the result.
   */
  readonly ofSlope: (slope: number) => Int32Array;
};

/** Far above the rounding error of a sum, far below a pixel. */
const tieMax = 1e-9;

/**
 * The edges of the sampled rows vote for lines. For one slope, a row is shifted alike for every offset. So a
 * run of edges votes with its two ends only, and a running sum over the offsets gives the counts.
 */
export const makeLineVotes = (map: EdgeMap, rows: SampledRows, offsets: Offsets): LineVotes => {
  const { low, count, pivot, slopeMax } = offsets;
  const { ends, changes } = changesIn(map, rows, offsets);
  // A row is shifted by its reach, and has changes that far beyond the offsets.
  const margin = 2 * Math.max(reachOf(slopeMax, rows.from - pivot), reachOf(slopeMax, rows.to - pivot));
  const sums = new Int32Array(count + 2 * margin + 1);
  const votes = new Int32Array(count);
  const ofSlope = (slope: number): Int32Array => {
    sums.fill(0);
    let ties = 0;
    let i = 0;
    for (let row = 0; row < ends.length; row++) {
      const shift = slope * (rows.from + row * rows.step - pivot) + 0.5;
      if (Math.abs(shift - Math.round(shift)) < tieMax) ties++;
      const first = low + Math.floor(shift) - margin;
      for (const end = ends[row]!; i < end; i += 2) sums[changes[i]! - first]! += changes[i + 1]!;
    }
    let sum = 0;
    for (let at = 0; at < margin; at++) sum += sums[at]!;
    for (let at = 0; at < count; at++) {
      sum += sums[at + margin]!;
      votes[at] = strongestOf(sum) + ties;
    }
    return votes;
  };
  return { places: ends.length, ofSlope };
};

/** Columns that no line is beyond, from the offset of the line. */
const reachOf = (slopeMax: number, fromPivot: number): number =>
  Math.ceil(slopeMax * Math.abs(fromPivot)) + 1;

/**
 * Columns whose vote differs from that of the column before, in pairs: column and difference. `ends` has the
 * end of each row in `changes`. Only columns that a line can reach; a row outside the map, and the outermost
 * columns, have no edges.
 */
const changesIn = (
  { length, across, near }: EdgeMap,
  { from, to, step }: SampledRows,
  { low, count, pivot, slopeMax }: Offsets,
) => {
  const changes: number[] = [];
  const ends: number[] = [];
  for (let t = from; t <= to; t += step) {
    const reach = reachOf(slopeMax, t - pivot);
    const start = t * across;
    const last = t >= 0 && t < length ? Math.min(across - 1, low + count + reach) : 0;
    let before = 0;
    for (let at = Math.max(1, low - reach); at <= last; at++) {
      const signs = at < last ? near[start + at]! : 0;
      if (signs === before) continue;
      changes.push(at, countOf(signs) - countOf(before));
      before = signs;
    }
    ends.push(changes.length);
  }
  return { ends, changes };
};
