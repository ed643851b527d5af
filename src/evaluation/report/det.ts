import { countBelow } from "#statistics/scores";

/** One operating point: a score from `threshold` on is a match. */
export type DetPoint = { readonly threshold: number; readonly fmr: number; readonly fnmr: number };

/**
 * Detection error trade-off (ISO/IEC 19795-1, 9.3): both error rates at thresholds spread evenly from the
 * lowest to the highest score of either kind. Scores ascend.
 */
export const detPoints = (
  genuine: Float64Array,
  impostor: Float64Array,
  count: number,
): readonly DetPoint[] => {
  if (genuine.length === 0 || impostor.length === 0) return [];
  const low = Math.min(genuine[0]!, impostor[0]!);
  const high = Math.max(genuine.at(-1)!, impostor.at(-1)!);
  return Array.from({ length: count }, (_, i) => {
    const threshold = low + ((high - low) * i) / (count - 1);
    return {
      threshold,
      fmr: 1 - countBelow(impostor, threshold, false) / impostor.length,
      fnmr: countBelow(genuine, threshold, false) / genuine.length,
    };
  });
};

/**
 * Share of the values in each of `bins` equal parts of low…high. A value beyond the range counts in the
 * nearest part.
 */
export const histogram = (
  values: Float64Array,
  low: number,
  high: number,
  bins: number,
): readonly number[] => {
  const shares = Array.from({ length: bins }, () => 0);
  for (const value of values) {
    const bin = Math.floor(((value - low) / (high - low)) * bins);
    shares[Math.min(bins - 1, Math.max(0, bin))]! += 1 / values.length;
  }
  return shares;
};

/**
 * The normal deviate that a share (0…1, both excluded) of all values does not exceed; by bisection of Φ, to
 * 1e-9.
 */
export const probit = (share: number): number => {
  let [low, high] = [-9, 9];
  for (let i = 0; i < 50; i++) {
    const middle = (low + high) / 2;
    if (normalShare(middle) < share) low = middle;
    else high = middle;
  }
  return (low + high) / 2;
};

/** Φ by erfc (Numerical Recipes 6.2.2, Chebyshev; relative error under 1.2e-7). */
const normalShare = (deviate: number): number => erfc(-deviate / Math.SQRT2) / 2;

const erfc = (x: number): number => {
  const t = 1 / (1 + Math.abs(x) / 2);
  const terms = [
    -1.26551223, 1.00002368, 0.37409196, 0.09678418, -0.18628806, 0.27886807, -1.13520398, 1.48851587,
    -0.82215223, 0.17087277,
  ];
  const series = terms.reduceRight((sum, term) => sum * t + term, 0);
  const value = t * Math.exp(-x * x + series);
  return x >= 0 ? value : 2 - value;
};
