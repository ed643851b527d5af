import type { Certainty, Sureness } from "../models/sureness.ts";

/** Why a number cannot be one of its kind. */
export type NumberFault = "shape" | "check-digit" | "region" | "series" | "year" | "date" | "not-issued";

/** A number that may be right although it is unusual: territories change, and people are registered abroad. */
export type NumberWarning = "municipality-unknown";

/** Something that the number tells of its holder. */
export type NumberHint = {
  readonly about: "birthDate" | "birthYear" | "sex" | "region" | "municipality" | "holder" | "dni";
  /** Date YYYY-MM-DD, year YYYY, sex M, F or X, the region's or municipality's code or name, the DNI's digits. */
  readonly value: string;
  readonly sure: Certainty;
};

/** A national number after its rule. */
export type NumberReading = {
  /** As Idem stores and compares it: no separators, upper case (Panama keeps its hyphens). */
  readonly canonical: string;
  /** As the document prints it. The canonical form where the shape is wrong. */
  readonly printed: string;
  /** `uncheckable`: the shape is right and the number has no check digit, or not all of it was given. */
  readonly validity: "valid" | "invalid" | "uncheckable";
  /** What makes it invalid. */
  readonly fault?: NumberFault;
  readonly hints: readonly NumberHint[];
  readonly warnings: readonly NumberWarning[];
};

/**
 * The rule of one kind of number, with how sure its shape and check digit are. Pure: `day` (YYYY-MM-DD) is today, after which
 * no year of a number lies.
 */
export type NumberRule = Sureness & {
  readonly country: string;
  readonly read: (text: string, day?: string) => NumberReading;
};

/** Longest text that is looked at: no number with its separators is longer. */
const textLengthMax = 40;

/** Upper case without blanks, dots, fillers and hyphens of any kind. */
export const bareOf = (text: string): string =>
  text
    .slice(0, textLengthMax)
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[\s.<\p{Pd}\u2212]/gu, "");

/** A number that is not one, in the form it was given. */
export const refused = (canonical: string, fault: NumberFault): NumberReading => ({
  canonical,
  printed: canonical,
  validity: "invalid",
  fault,
  hints: [],
  warnings: [],
});

type Told = Partial<Pick<NumberReading, "printed" | "hints" | "warnings">>;

const told = (canonical: string, validity: NumberReading["validity"], more: Told): NumberReading => ({
  canonical,
  printed: more.printed ?? canonical,
  validity,
  hints: more.hints ?? [],
  warnings: more.warnings ?? [],
});

/** A number whose check digit is right. */
export const checked = (canonical: string, more: Told = {}): NumberReading => told(canonical, "valid", more);

/** A number of the right shape that carries nothing to check. */
export const uncheckable = (canonical: string, more: Told = {}): NumberReading =>
  told(canonical, "uncheckable", more);

/** Sum of digits times weights; the text holds digits only. */
export const weightedSum = (digits: string, weights: readonly number[]): number =>
  weights.reduce((sum, weight, i) => sum + weight * Number(digits[i]), 0);

/** Whether a year can stand in a number: from 1900 to the year of `day`, without a day to 2099. */
export const isPastYear = (year: string, day = "2099"): boolean => year >= "1900" && year <= day.slice(0, 4);

/** Cuts a text into parts of the given lengths, joined by a separator. */
export const grouped = (text: string, lengths: readonly number[], separator: string): string => {
  let from = 0;
  return lengths
    .map((length) => {
      from += length;
      return text.slice(from - length, from);
    })
    .join(separator);
};
