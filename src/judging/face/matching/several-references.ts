import { fmrAtScore, similarityOf } from "./calibration.ts";
import type { Comparison } from "./comparison.ts";

/**
 * What several references add to the score at the same false match rate, 1e-2 and below. Measured with three
 * references each of 222 persons and 376,000 impostor comparisons: .022 at 1e-2, .014 at 1e-3, and less than
 * nothing at 1e-4 (docs/measurements/faces.md, Several references).
 */
const gainOfImpostors = 0.03;

/**
 * One comparison of a face with several references of one person: the middle between the best score and the
 * mean score, so that the score keeps the meaning that `calibration.ts` gives it. The best score alone
 * favours impostors, who get several chances; the mean alone punishes a reference that shows the person
 * otherwise. The cosines are those of the first reference.
 */
export const joinComparisons = (first: Comparison, others: readonly Comparison[]): Comparison => {
  if (others.length === 0) return first;
  const scores = [first, ...others].map(({ score }) => score);
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
  const score = (Math.max(...scores) + mean) / 2 - gainOfImpostors;
  return { ...first, score, similarity: similarityOf(score), falseMatchRate: fmrAtScore(score) };
};
