import jstat from "jstat";

const { beta } = jstat.jStat;

/** Share of errors among comparisons, with its exact 95 % bounds. All rates are fractions of 1. */
export type Rate = { readonly rate: number; readonly low: number; readonly high: number; readonly n: number };

/** Two-sided 95 %. */
const tail = 0.025;

/**
 * An observed share with Clopper and Pearson's exact bounds (1934). With n = 0 the rate is NaN, the bounds 0
 * and 1.
 */
export const rateOf = (events: number, n: number): Rate => ({
  rate: events / n,
  low: events === 0 ? 0 : beta.inv(tail, events, n - events + 1),
  high: events === n ? 1 : beta.inv(1 - tail, events + 1, n - events),
  n,
});
