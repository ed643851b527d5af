import { countOf, type EdgeMap, strongestOf, toBright } from "./edge-map.ts";
import { makeLineVotes } from "./line-votes.ts";

/**
 * A nearly axis-parallel line: `offset` + `slope` · (t - `pivot`) across the axis, where t runs along it. For
 * a steep line t is y and the result x; for a level line t is x and the result y.
 */
export type Line = { readonly offset: number; readonly slope: number; readonly pivot: number };

const slopeMax = 0.42;
const slopeStep = 0.02;
const supportMin = 0.5;
const linesMax = 5;
/** A first pass over every eighth pixel leaves one line in thirty for the second pass. */
const coarseStep = 8;
const coarseSupportMin = 0.4;

/**
 * Count of the most frequent sign along a line, as a share of all sampled pixels, 0…1. Plain numbers instead
 * of a Line: it runs thousands of times per image.
 */
const supportOf = (
  { length, across, near }: EdgeMap,
  offset: number,
  slope: number,
  pivot: number,
  from: number,
  to: number,
  step: number,
): number => {
  let positive = 0;
  let negative = 0;
  let places = 0;
  for (let t = Math.round(from); t <= to; t += step) {
    places++;
    const at = Math.floor(offset + slope * (t - pivot) + 0.5);
    if (t >= 0 && t < length && at >= 1 && at < across - 1) {
      const signs = near[t * across + at]!;
      positive += signs & toBright;
      negative += signs >> 1;
    }
  }
  return places === 0 ? 0 : Math.max(positive, negative) / places;
};

/**
 * Straightness of a side between any two of its corners, 0…1; a tenth at each end is left out for rounded
 * corners. The edges along the line are counted once: each part is a difference of two sums.
 */
export const straightnessOf = (
  { length, across, near }: EdgeMap,
  { offset, slope, pivot }: Line,
): ((from: number, to: number) => number) => {
  const sums = new Int32Array(length + 1);
  for (let t = 0; t < length; t++) {
    const at = Math.floor(offset + slope * (t - pivot) + 0.5);
    const isInside = at >= 1 && at < across - 1;
    sums[t + 1] = sums[t]! + (isInside ? countOf(near[t * across + at]!) : 0);
  }
  return (from, to) => {
    const margin = 0.1 * (to - from);
    const first = Math.round(from + margin);
    const end = Math.floor(to - margin) + 1;
    if (end <= first) return 0;
    const sum = sums[Math.max(0, Math.min(length, end))]! - sums[Math.max(0, Math.min(length, first))]!;
    return strongestOf(sum) / (end - first);
  };
};

type FoundLine = { readonly line: Line; readonly support: number };

/** The lines with the most support whose middle lies between `low` and `high`, over the span of the face. */
export const bestLines = (
  map: EdgeMap,
  span: { readonly from: number; readonly to: number },
  low: number,
  high: number,
): readonly Line[] => {
  const kept: FoundLine[] = [];
  for (const next of supportedLines(map, span, low, high).toSorted((a, b) => b.support - a.support)) {
    const isNew = kept.every(
      ({ line }) =>
        Math.abs(line.offset - next.line.offset) > 3 || Math.abs(line.slope - next.line.slope) > 0.08,
    );
    if (isNew && kept.length < linesMax) {
      kept.push(next);
    }
  }
  return kept.map(({ line }) => line);
};

/** The line with the most support of each offset, if it has enough; by offset. */
const supportedLines = (
  map: EdgeMap,
  { from, to }: { readonly from: number; readonly to: number },
  low: number,
  high: number,
): readonly FoundLine[] => {
  const pivot = (from + to) / 2;
  const first = Math.ceil(low);
  const count = Math.max(0, Math.floor(high) - first + 1);
  const rows = { from: Math.round(from), to, step: coarseStep };
  const { places, ofSlope } = makeLineVotes(map, rows, { low: first, count, pivot, slopeMax });
  const best = new Map<number, FoundLine>();
  for (let slope = -slopeMax; slope <= slopeMax; slope += slopeStep) {
    const votes = ofSlope(slope);
    for (let i = 0; i < count; i++) {
      if (votes[i]! / places < coarseSupportMin) continue;
      const offset = first + i;
      const support = supportOf(map, offset, slope, pivot, from, to, 2);
      if (support < supportMin || support <= (best.get(offset)?.support ?? 0)) continue;
      // Ties may have given too many votes.
      if (supportOf(map, offset, slope, pivot, from, to, coarseStep) < coarseSupportMin) continue;
      best.set(offset, { line: { offset, slope, pivot }, support });
    }
  }
  return [...best.values()].toSorted((a, b) => a.line.offset - b.line.offset);
};
