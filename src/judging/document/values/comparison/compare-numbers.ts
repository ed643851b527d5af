import { editDistance } from "../edit-distance.ts";
import { differencesOf } from "../look-alikes.ts";
import type { Verdict } from "./comparison.ts";

export type NumberReason =
  | "equal"
  /** Equal except for leading zeros. */
  | "leading-zeros"
  /** The shorter number begins the longer one, as in a visa, which truncates at nine characters. */
  | "cut"
  | "missing"
  /** Only characters differ that readers confuse. */
  | "look-alikes"
  /** One character differs, is missing or is extra. */
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
 * Compares two readings of a number without its separators. Numbers contradict each other (code 507) only
 * when two characters differ that are no look-alikes: a single one is a reading error as often as a forgery.
 * Also compares dates.
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

/** A visa keeps nine characters of a number (ICAO Doc 9303-7, note j). */
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
