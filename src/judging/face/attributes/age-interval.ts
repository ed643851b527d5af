/** An interval of years around an age estimate. */
export type AgeInterval = { readonly from: number; readonly to: number };

/**
 * Estimates from `from` up to `to`: true age minus estimate lies between `low` and `high` in 90 % of cases.
 */
export type AgeBand = AgeInterval & { readonly low: number; readonly high: number };

/** Share of true ages that the interval was chosen to hold. */
export const ageIntervalCoverage = 0.9;

/**
 * Margins by band of the estimate: the 5 % and 95 % quantiles of true age minus estimate, on one half of the
 * 798 faces of UTKFace (`idem measure age`; docs/measurements/attributes.md states the coverage on the other
 * half). Each band has 34 faces or more. The set holds ages from 16 to 80, and six estimates under 20 in this
 * half: outside of these bands there is no interval.
 */
export const ageBands: readonly AgeBand[] = [
  { from: 20, to: 25, low: -8.8, high: 12 },
  { from: 25, to: 30, low: -7.3, high: 7.8 },
  { from: 30, to: 35, low: -11, high: 12.9 },
  { from: 35, to: 40, low: -15.8, high: 17.5 },
  { from: 40, to: 50, low: -14.6, high: 17.6 },
  { from: 50, to: 70, low: -11.8, high: 21.7 },
];

/** The interval of an estimate, in whole years; undefined where no band was measured. */
export const ageIntervalOf = (
  estimateYears: number,
  bands: readonly AgeBand[] = ageBands,
): AgeInterval | undefined => {
  const band = bands.find(({ from, to }) => estimateYears >= from && estimateYears < to);
  return band === undefined
    ? undefined
    : {
        from: Math.max(0, Math.floor(estimateYears + band.low)),
        to: Math.ceil(estimateYears + band.high),
      };
};
