import { editDistance } from "../text/edit-distance.ts";
import { differencesOf } from "../text/look-alikes.ts";
import type { Verdict } from "./comparison.ts";

export type NumberReason =
  | "equal"
  /** Equal but for zeros at the front. */
  | "leading-zeros"
  /** The shorter one begins the longer one, as in a visa, which cuts at nine characters. */
  | "cut"
  | "missing"
  /** Only characters differ that readers take for each other. */
  | "look-alikes"
  /** One character differs, is missing or too many. */
  | "one-character"
  /** At least two characters differ that no look-alike explains. */
  | "other-number";

export type NumberComparison = { readonly verdict: Verdict; readonly reason: NumberReason };

const bare = (text: string): string =>
  text
    .slice(0, 80)
    .normalize("NFKC")
    .toUpperCase()
    .replaceAll(/[^A-Z0-9]/g, "");

const withoutZeros = (text: string): string => text.replace(/^[0O]+/, "");

/**
 * Compares two readings of a number without its separators. Two characters must differ that are no look-alikes before the
 * numbers contradict each other (code 507): one is a slip of the reader as often as a forgery. Serves dates as well.
 */
export const compareNumbers = (a: string, b: string): NumberComparison => {
  const [left, right] = [bare(a), bare(b)];
  if (left === "" || right === "") {
    return { verdict: "unsure", reason: "missing" };
  }
  if (left === right) {
    return { verdict: "same", reason: "equal" };
  }
  if (withoutZeros(left) === withoutZeros(right)) {
    return { verdict: "same", reason: "leading-zeros" };
  }
  return left.length === right.length ? compareEqualLength(left, right) : compareLengths(left, right);
};

const compareEqualLength = (a: string, b: string): NumberComparison => {
  const { count, unexplained } = differencesOf(a, b);
  if (unexplained === 0) {
    return { verdict: "unsure", reason: "look-alikes" };
  }
  return unexplained >= 2 || count > 2
    ? { verdict: "differs", reason: "other-number" }
    : { verdict: "unsure", reason: "one-character" };
};

/** Nine characters are what a visa leaves of a number (ICAO Doc 9303-7, note j). */
const cutLengthMin = 9;

const compareLengths = (a: string, b: string): NumberComparison => {
  const [short, long] = a.length < b.length ? [a, b] : [b, a];
  if (short.length >= cutLengthMin && long.startsWith(short)) {
    return { verdict: "truncated", reason: "cut" };
  }
  const isSlip = long.length - short.length === 1 && editDistance(short, long) === 1;
  return isSlip
    ? { verdict: "unsure", reason: "one-character" }
    : { verdict: "differs", reason: "other-number" };
};
