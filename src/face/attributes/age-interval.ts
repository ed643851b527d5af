/** An interval of years around an age estimate. */
export type AgeInterval = { readonly from: number; readonly to: number };

/** Estimates from `from` up to `to`: true age minus estimate lies between `low` and `high` in 90 % of cases. */
export type AgeBand = AgeInterval & { readonly low: number; readonly high: number };

/** Share of true ages that the interval was chosen to hold. */
export const ageIntervalCoverage = 0.9;

/**
 * Margins by band of the estimate: the 5 % and 95 % quantiles of true age minus estimate on one half of UTKFace's 798 faces
 * (`idem measure age`, docs/measurements/attributes.md, which states the coverage on the other half). The set holds ages from
 * 16 to 80. Outside of these bands it has too few faces, so no interval is answered there.
 */
export const ageBands: readonly AgeBand[] = [{ from: 16, to: 25, low: -10, high: 10 }];

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
