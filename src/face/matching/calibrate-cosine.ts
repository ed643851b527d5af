import { thresholdAt } from "#statistics/scores";
import { findCrooked, type ScalePoint } from "./score-scale.ts";

/** Cosines of pairs of strangers: of a whole list, and within groups of people. */
export type Strangers = {
  readonly all: Float64Array;
  readonly within: ReadonlyMap<string, Float64Array>;
};

/** Rates at which a cosine may be counted; the first three must be. */
const rates = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5] as const;
const rateNeeded = 1e-3;

/** With so many false matches expected, the rate is known to about a third (Poisson). */
const falseMatchesMin = 10;

/**
 * Where the cosines of a recogniser reach each false-match rate, in the list or the group in which it is highest; a rate is
 * told where every one of them has pairs enough to show it. Or, in words, what is missing.
 */
export const calibrateCosine = ({ all, within }: Strangers): readonly ScalePoint[] | string => {
  const sets = [["the list", all] as const, ...within].map(
    ([name, scores]) => [name, scores.toSorted()] as const,
  );
  const small = sets.find(([, { length }]) => length * rateNeeded < falseMatchesMin);
  if (small !== undefined) {
    const pairs = falseMatchesMin / rateNeeded;
    return `${small[0]} has ${small[1].length} pairs of strangers; ${pairs} show a false-match rate of ${rateNeeded}, as 142 pictures of different people give`;
  }
  const points = rates
    .filter((rate) => sets.every(([, { length }]) => length * rate >= falseMatchesMin))
    .map((falseMatchRate) => ({
      falseMatchRate,
      value: Math.max(...sets.map(([, scores]) => thresholdAt(scores, falseMatchRate))),
    }));
  return findCrooked(points) ?? points;
};
