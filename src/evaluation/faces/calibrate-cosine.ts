import { thresholdAt } from "#contract/statistics/scores";
import { findCrooked, type ScalePoint } from "#judging/face/matching/score-scale";

/** Cosines of impostor pairs: of a whole list, and within demographic groups. */
export type Impostors = {
  readonly all: Float64Array;
  readonly within: ReadonlyMap<string, Float64Array>;
};

/** The rates of the calibration; the first three are required. */
const rates = [1e-1, 1e-2, 1e-3, 1e-4, 1e-5] as const;
const rateNeeded = 1e-3;

/** With ten expected false matches, the rate is known to about a third (Poisson). */
const falseMatchesMin = 10;

/**
 * The cosine at each false match rate, from the list or the group where it is highest. A rate is included
 * only if the list and every group have enough pairs for it. Returns a text with the missing data instead if
 * they do not suffice.
 */
export const calibrateCosine = ({ all, within }: Impostors): readonly ScalePoint[] | string => {
  const sets = [["the list", all] as const, ...within].map(
    ([name, scores]) => [name, scores.toSorted()] as const,
  );
  const small = sets.find(([, { length }]) => length * rateNeeded < falseMatchesMin);
  if (small !== undefined) {
    const pairs = falseMatchesMin / rateNeeded;
    return `${small[0]} has ${small[1].length} impostor pairs; ${pairs} show a false match rate of ${rateNeeded}, which 142 images of different identities give`;
  }
  const points = rates
    .filter((rate) => sets.every(([, { length }]) => length * rate >= falseMatchesMin))
    .map((falseMatchRate) => ({
      falseMatchRate,
      value: Math.max(...sets.map(([, scores]) => thresholdAt(scores, falseMatchRate))),
    }));
  return findCrooked(points) ?? points;
};
