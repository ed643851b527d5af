import jstat from "jstat";
import { countBelow } from "#contract/statistics/scores";

const { normal } = jstat.jStat;

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

/** The normal deviate that a share (0…1, both excluded) of all values does not exceed. */
export const probit = (share: number): number => normal.inv(share, 0, 1);
