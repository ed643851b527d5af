import type { Certainty, Provenance } from "../provenance.ts";

/** Reasons why a number cannot be of its kind. */
export type NumberFault = "shape" | "check-digit" | "region" | "series" | "year" | "date" | "not-issued";

/** A number that is unusual but may be valid: territories change, and people are registered abroad. */
export type NumberWarning = "municipality-unknown";

/** A fact about the holder that the number encodes. */
export type NumberHint = {
  readonly about: "birthDate" | "birthYear" | "sex" | "region" | "municipality" | "holder" | "dni";
  /**
   * Date YYYY-MM-DD, year YYYY, sex M, F or X, the region's or municipality's code or name, the DNI's digits.
   */
  readonly value: string;
  readonly sure: Certainty;
};

/** The result of reading a national number by its rule. */
export type NumberReading = {
  /** The form that Idem stores and compares: no separators, upper case (Panama keeps its hyphens). */
  readonly canonical: string;
  /** The printed form; the canonical form when the shape is wrong. */
  readonly printed: string;
  /**
   * `uncheckable`: the shape is right and the number has no check digit, or part of the number is missing.
   */
  readonly validity: "valid" | "invalid" | "uncheckable";
  /** Why it is invalid. */
  readonly fault?: NumberFault;
  readonly hints: readonly NumberHint[];
  readonly warnings: readonly NumberWarning[];
};

/**
 * The rule of one kind of number, with the provenance of its shape and check digit. Pure: `day` (YYYY-MM-DD)
 * is today; a year in a number is never later.
 */
export type NumberRule = Provenance & {
  readonly country: string;
  readonly read: (text: string, day?: string) => NumberReading;
};

/** Longest text that a rule reads: no number with its separators is longer. */
const textLengthMax = 40;

/** Upper case without blanks, dots, fillers and any kind of hyphen. */
export const bareOf = (text: string): string =>
  text
    .slice(0, textLengthMax)
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[\s.<\p{Pd}\u2212]/gu, "");

/** An invalid number, in the form it was given. */
export const refused = (canonical: string, fault: NumberFault): NumberReading => ({
  canonical,
  printed: canonical,
  validity: "invalid",
  fault,
  hints: [],
  warnings: [],
});

type ReadingDetails = Partial<Pick<NumberReading, "printed" | "hints" | "warnings">>;

const readingOf = (
  canonical: string,
  validity: NumberReading["validity"],
  more: ReadingDetails,
): NumberReading => ({
  canonical,
  printed: more.printed ?? canonical,
  validity,
  hints: more.hints ?? [],
  warnings: more.warnings ?? [],
});

/** A number with a correct check digit. */
export const checked = (canonical: string, more: ReadingDetails = {}): NumberReading =>
  readingOf(canonical, "valid", more);

/** A number of the right shape without a check digit. */
export const uncheckable = (canonical: string, more: ReadingDetails = {}): NumberReading =>
  readingOf(canonical, "uncheckable", more);

/** Sum of digits times weights; the text holds digits only. */
export const weightedSum = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);

/** Whether a year may be part of a number: from 1900 to the year of `day`; without a day, to 2099. */
export const isPastYear = (year: string, day = "2099"): boolean => year >= "1900" && year <= day.slice(0, 4);

/** Splits a text into parts of the given lengths, joined by a separator. */
export const grouped = (text: string, lengths: readonly number[], separator: string): string => {
  let from = 0;
  return lengths
    .map((length) => {
      from += length;
      return text.slice(from - length, from);
    })
    .join(separator);
};
