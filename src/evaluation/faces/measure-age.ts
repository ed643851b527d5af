import { createHash } from "node:crypto";
import { type Rate, rateOf } from "#contract/statistics/rate";

/** A face with its true age, in whole years, and the product's estimate of it. */
export type AgeCase = { readonly path: string; readonly age: number; readonly estimate: number };

/**
 * The margins that a set gives for estimates from `from` up to `to`: 90 % of its true ages lie within them.
 */
export type AgeMargins = {
  readonly from: number;
  readonly to: number;
  readonly n: number;
  readonly low: number;
  readonly high: number;
};

/** How many true ages lie within the answered interval, over the faces that get one. */
export type AgeCoverage = { readonly name: string; readonly covered: Rate; readonly without: number };

export type AgeReport = {
  readonly n: number;
  /** Mean absolute error in years; NaN without a face. */
  readonly error: number;
  /** Median width of the answered intervals of the second half; NaN without one. */
  readonly width: number;
  /** Margins that the first half gives. Bands without a face are left out. */
  readonly margins: readonly AgeMargins[];
  readonly coverage: readonly AgeCoverage[];
};

type Interval = { readonly from: number; readonly to: number };

export type AgeReportInput = {
  readonly cases: readonly AgeCase[];
  /** The interval that the product answers for an estimate. */
  readonly intervalOf: (estimate: number) => Interval | undefined;
  /** The bands of the product. */
  readonly bands: readonly { readonly from: number; readonly to: number }[];
};

/** A share of 5 % of the true ages on each side lies outside. */
const tail = 0.05;

/** Groups of true ages, for the coverage: an interval by estimate may miss a whole group. */
const ageGroups = [0, 16, 18, 25, 40, 60, 120];

/** Half of a set by its names alone, so that the same set has the same halves everywhere. */
export const isFirstHalf = ({ path }: Pick<AgeCase, "path">): boolean =>
  createHash("sha256").update(path).digest()[0]! % 2 === 0;

const within = (value: number, { from, to }: Interval): boolean => value >= from && value < to;

/** Sums up age estimates. Margins come from the first half; coverage is stated for both. */
export const reportAges = ({ cases, intervalOf, bands }: AgeReportInput): AgeReport => {
  const first = cases.filter(isFirstHalf);
  const second = cases.filter((one) => !isFirstHalf(one));
  const coverageOf = (name: string, some: readonly AgeCase[]) => coverage(name, some, intervalOf);
  const groups = ageGroups.slice(1).map((to, i) => ({ from: ageGroups[i]!, to }));
  return {
    n: cases.length,
    error: mean(cases.map(({ age, estimate }) => Math.abs(age - estimate))),
    width: median(second.flatMap(({ estimate }) => widthOf(intervalOf(estimate)))),
    margins: bands.flatMap((band) => marginsOf(band, first)),
    coverage: [
      coverageOf("first half", first),
      coverageOf("second half", second),
      ...bands.map((band) =>
        coverageOf(
          `second half, estimate ${spanText(band)}`,
          second.filter(({ estimate }) => within(estimate, band)),
        ),
      ),
      ...groups.map((group) =>
        coverageOf(
          `second half, age ${spanText(group)}`,
          second.filter(({ age }) => within(age, group)),
        ),
      ),
    ].filter(({ covered, without }) => covered.n + without > 0),
  };
};

const spanText = ({ from, to }: Interval): string =>
  Number.isFinite(to) ? `${from} to under ${to}` : `${from} and more`;

const widthOf = (interval: Interval | undefined): readonly number[] =>
  interval === undefined ? [] : [interval.to - interval.from];

const mean = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length;

const median = (values: readonly number[]): number =>
  values.toSorted((one, other) => one - other)[values.length >> 1] ?? Number.NaN;

/** Ranks with the correction for a finite set (split conformal prediction: Lei and others, 2018). */
const marginsOf = (band: Interval, cases: readonly AgeCase[]): readonly AgeMargins[] => {
  const errors = cases
    .filter(({ estimate }) => within(estimate, band))
    .map(({ age, estimate }) => age - estimate)
    .toSorted((one, other) => one - other);
  const n = errors.length;
  const low = errors[Math.max(0, Math.floor(tail * (n + 1)) - 1)];
  const high = errors[Math.min(n - 1, Math.ceil((1 - tail) * (n + 1)) - 1)];
  return low === undefined || high === undefined ? [] : [{ ...band, n, low, high }];
};

const coverage = (
  name: string,
  cases: readonly AgeCase[],
  intervalOf: AgeReportInput["intervalOf"],
): AgeCoverage => {
  const answered = cases.flatMap(({ age, estimate }) => {
    const interval = intervalOf(estimate);
    return interval === undefined ? [] : [age >= interval.from && age <= interval.to];
  });
  const covered = rateOf(answered.filter(Boolean).length, answered.length);
  return { name, covered, without: cases.length - answered.length };
};
