/**
 * A false match rate that was counted: fewer than one in `oneIn` of so many pairs of different persons
 * matched.
 */
export type CountedRate = {
  readonly oneIn: number;
  readonly pairs: number;
  /** The same within the demographic group where it is highest; one in so many of its pairs. */
  readonly worstGroup: { readonly oneIn: number; readonly pairs: number };
};

/**
 * Ten groups of 300 persons whom no setting was chosen on: at the score of 1e-2 the highest had 0.81 % (95 %:
 * 0.73 to 0.90). At a higher score no group has a count of its own (docs/measurements/fairness.md).
 */
const worstGroup = { oneIn: 100, pairs: 44_850 };

/** All impostor pairs of LFW, folds 1 to 5 (docs/measurements/faces.md). */
const pairs = 7_255_541;

/**
 * By the rate of the calibration, which falls with the score. At 1e-2, a score of 2.83, 0.129 % of LFW
 * matched (at most 0.131). At 1e-3, a score of 3.53, fewer matched than the 1e-4 that was counted at 3.30.
 */
const counted: readonly { readonly rate: number; readonly is: CountedRate }[] = [
  { rate: 1e-3, is: { oneIn: 10_000, pairs, worstGroup } },
  { rate: 1e-2, is: { oneIn: 700, pairs, worstGroup } },
];

/**
 * The least rate that was counted at the score of a calibrated rate or below it; undefined above 1e-2. The
 * calibration goes on below 1e-3 as a straight line: nothing was counted there, so no statement to others
 * rests on it.
 */
export const countedRateAt = (falseMatchRate: number): CountedRate | undefined =>
  counted.find(({ rate }) => falseMatchRate <= rate)?.is;
