import type { FieldName } from "../field-name.ts";
import { birthOf, expiryOf } from "../mrz/mrz-date.ts";
import { isNumberName, type NumberName, readNumber } from "../numbers/number-rules.ts";
import { asDigit } from "../text/look-alikes.ts";
import { readNationalityWord } from "../text/nationality-word.ts";
import { type DateForms, findPrintedDates, readPrintedDate } from "../text/printed-date.ts";
import { repairName } from "../text/repair-name.ts";
import { readSexWord } from "../text/sex-word.ts";

/** What makes a printed value sure beside the reader's own confidence. */
export type ReadConfirmation = "check-digit" | "rule" | "calendar" | "closed-list" | "shape";

/** A text after the treatment of its kind. */
export type TypedValue = {
  readonly value: string;
  readonly confirmedBy?: ReadConfirmation;
  /** Characters had to be taken for others to make it one. */
  readonly isRepaired: boolean;
  /** A national number whose own check digit is wrong: the card's fault, or the reader's. */
  readonly isBroken?: boolean;
};

/** How a field's text becomes its value: a kind or the name of a national number; `shape` of a code. */
export type ValueFormat = { readonly name: FieldName; readonly format: string; readonly shape?: string };

/** What holds for all values of a card: today (YYYY-MM-DD), and how its dates deviate from the usual. */
export type Printing = {
  readonly day: string;
  readonly monthFirst: boolean;
  readonly shortYears: boolean;
};

/**
 * The value that a text is or holds, by its kind: dates as YYYY-MM-DD, sexes as M, F, X, nationalities as alpha-3, numbers in
 * their canonical form. Undefined where the text is of another kind.
 */
export const readValue = (
  text: string,
  { name, format, shape }: ValueFormat,
  printing: Printing,
): TypedValue | undefined => {
  switch (format) {
    case "name":
      return nameOf(text);
    case "text":
      return /[\p{L}\d]/u.test(text) ? plain(text.trim()) : undefined;
    case "date":
      return dateOf(text, formsOf(name, printing));
    case "sex":
      return confirmed(readSexWord(text) ?? firstOf(windowsOf(text, 2), readSexWord), "closed-list");
    case "nationality":
      return confirmed(
        readNationalityWord(text) ?? firstOf(windowsOf(text, 3), readNationalityWord),
        "closed-list",
      );
    case "code":
      return codeOf(text, shape ?? "");
    default:
      return isNumberName(format) ? numberOf(text, format, printing.day) : undefined;
  }
};

const plain = (value: string): TypedValue => ({ value, isRepaired: false });

const confirmed = (value: string | undefined, confirmedBy: ReadConfirmation): TypedValue | undefined =>
  value === undefined ? undefined : { value, confirmedBy, isRepaired: false };

/** Two figures of a year are read as the zone's are: an expiry in this century, every other date in the past. */
const formsOf = (name: FieldName, { day, monthFirst, shortYears }: Printing): DateForms => ({
  isMonthFirst: monthFirst,
  ...(shortYears && {
    ofShortYear: (text: string) => (name === "dateOfExpiry" ? expiryOf(text) : birthOf(text, day)).date,
  }),
});

const dateOf = (text: string, forms: DateForms): TypedValue | undefined =>
  confirmed(readPrintedDate(text, forms) ?? findPrintedDates(text, forms)[0], "calendar");

const firstOf = (
  texts: readonly string[],
  read: (text: string) => string | undefined,
): string | undefined => {
  for (const text of texts) {
    const value = read(text);
    if (value !== undefined) {
      return value;
    }
  }
  return undefined;
};

/** Letters, blanks, apostrophes, hyphens, dots; two letters at least. */
const namePattern = /^(?=(?:.*\p{L}){2})[\p{L}\p{M}'’´`. -]{2,120}$/u;

const nameOf = (text: string): TypedValue | undefined => {
  const name = repairName(text).replaceAll(/\s+/g, " ").trim();
  return namePattern.test(name) ? plain(name) : undefined;
};

/** Runs of words, the longest first: a number may be printed in groups, and something may stand beside it. */
const windowsOf = (text: string, wordsMax: number): readonly string[] => {
  const words = text.split(/\s+/).filter(Boolean).slice(0, 12);
  const windows: string[] = [];
  for (let length = Math.min(wordsMax, words.length); length > 0; length--) {
    for (let from = 0; from + length <= words.length; from++) {
      windows.push(words.slice(from, from + length).join(" "));
    }
  }
  return windows;
};

const asDigits = (text: string): string =>
  Array.from(text, (character) => asDigit(character) ?? character).join("");

type Treatment = readonly [windows: (text: string) => readonly string[], isRepaired: boolean];

/** As read; with figures put right; its figures alone, where the reader saw a sign beside them as a letter. */
const treatments: readonly Treatment[] = [
  [(text) => windowsOf(text, 5), false],
  [(text) => windowsOf(asDigits(text), 5), true],
  [(text) => text.match(/\d(?:[\d.-]*\d)?/g) ?? [], true],
];

/** The window that keeps the number's check digit, else the longest of its shape; as read, else put right. */
const numberOf = (text: string, name: NumberName, day: string): TypedValue | undefined => {
  // Small print: readers see commas for dots, and both at once.
  const even = text.replaceAll(/[.,]+/g, ".");
  for (const [windows, isRepaired] of treatments) {
    const readings = windows(even)
      .filter((window) => /\d/.test(window))
      .map((window) => readNumber(name, window, day));
    const valid = readings.find(({ validity }) => validity === "valid");
    const open = readings.find(({ validity }) => validity === "uncheckable");
    if (valid !== undefined) {
      return { value: valid.canonical, confirmedBy: "check-digit", isRepaired };
    }
    if (open !== undefined) {
      return { value: open.canonical, confirmedBy: "rule", isRepaired };
    }
    const broken = readings.find(({ fault }) => fault === "check-digit");
    if (broken !== undefined) {
      return { value: broken.canonical, isRepaired, isBroken: true };
    }
  }
  return undefined;
};

const codeOf = (text: string, shape: string): TypedValue | undefined => {
  const pattern = new RegExp(shape, "u");
  const windows = windowsOf(text, 4).map((window) => window.toUpperCase().replaceAll(/[\s.,-]/g, ""));
  const exact = windows.find((window) => pattern.test(window));
  const repaired = windows.map(asDigits).find((window) => pattern.test(window));
  const value = exact ?? repaired;
  return value === undefined ? undefined : { value, confirmedBy: "shape", isRepaired: exact === undefined };
};
