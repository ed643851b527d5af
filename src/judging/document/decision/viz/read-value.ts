import { birthOf, expiryOf } from "../../reading/mrz/mrz-date.ts";
import type { FieldName } from "../../values/field-name.ts";
import { fold } from "../../values/fold.ts";
import { asDigit } from "../../values/look-alikes.ts";
import { readNationalityWord } from "../../values/nationality-word.ts";
import { isNumberName, type NumberName, readNumber } from "../../values/numbers/number-rules.ts";
import { type DateForms, findPrintedDates, readPrintedDate } from "../../values/printed-date.ts";
import { repairName, repairText } from "../../values/repair-name.ts";
import { readSexWord } from "../../values/sex-word.ts";

/** What confirms a printed value beside the reader's own confidence. */
export type ReadConfirmation = "check-digit" | "rule" | "calendar" | "closed-list" | "shape";

/** A text, parsed as a value of its kind. */
export type TypedValue = {
  readonly value: string;
  readonly confirmedBy?: ReadConfirmation;
  /** Look-alike characters were replaced. */
  readonly isRepaired: boolean;
  /** A national number whose own check digit is wrong, by the card or by the reader. */
  readonly isBroken?: boolean;
};

/** How a field's text is parsed: a kind or the name of a national number, and the `shape` of a code. */
export type ValueFormat = { readonly name: FieldName; readonly format: string; readonly shape?: string };

/** The date conventions of a card: today (YYYY-MM-DD), and how its dates deviate from the usual. */
export type DateConventions = {
  readonly day: string;
  readonly monthFirst: boolean;
  readonly shortYears: boolean;
};

/**
 * Parses the value in a text, by its kind: dates as YYYY-MM-DD, sexes as M, F, X, nationalities as alpha-3,
 * numbers in their canonical form. Undefined where the text is of another kind.
 */
export const readValue = (
  text: string,
  { name, format, shape }: ValueFormat,
  conventions: DateConventions,
): TypedValue | undefined => {
  switch (format) {
    case "name":
      return nameOf(text);
    case "text":
      return isText(text, name) ? unconfirmed(repairText(text.trim())) : undefined;
    case "date":
      return dateOf(text, formsOf(name, conventions));
    case "sex":
      return confirm(readSexWord(text) ?? firstOf(windowsOf(text, 2), readSexWord), "closed-list");
    case "nationality":
      return confirm(
        readNationalityWord(text) ?? firstOf(windowsOf(text, 3), readNationalityWord),
        "closed-list",
      );
    case "code":
      return codeOf(text, shape ?? "");
    default:
      return isNumberName(format) && !isSpelledDate(text)
        ? numberOf(text, format, conventions.day)
        : undefined;
  }
};

/** A date with the name of its month holds no number: 19 has the shape of a short RUN. */
const isSpelledDate = (text: string): boolean =>
  /\p{L}{3}/u.test(text) && readPrintedDate(text) !== undefined;

/** Whether a field's text is words: no more is known of its shape. */
export const isWords = ({ format }: Pick<ValueFormat, "format">): boolean =>
  format === "name" || format === "text";

/** Group of the AB0 system, with or without its Rhesus factor. */
const bloodGroup = /^(?:AB|A|B|O|0) ?(?:RH)? ?(?:[+-]|POS|NEG|POSITIV[OA]|NEGATIV[OA])?\.?$/u;

/** A date is no text of another field, and no place or profession is without letters. */
const isText = (text: string, name: FieldName): boolean =>
  name === "bloodGroup"
    ? bloodGroup.test(fold(text))
    : (name === "address" ? /[\p{L}\d]/u : /\p{L}/u).test(text) && readPrintedDate(text) === undefined;

const unconfirmed = (value: string): TypedValue => ({ value, isRepaired: false });

const confirm = (value: string | undefined, confirmedBy: ReadConfirmation): TypedValue | undefined =>
  value === undefined ? undefined : { value, confirmedBy, isRepaired: false };

/** A year of two digits is read as in the MRZ: an expiry in this century, every other date in the past. */
const formsOf = (name: FieldName, { day, monthFirst, shortYears }: DateConventions): DateForms => ({
  isMonthFirst: monthFirst,
  ...(shortYears && {
    ofShortYear: (text: string) => (name === "dateOfExpiry" ? expiryOf(text) : birthOf(text, day)).date,
  }),
});

const dateOf = (text: string, forms: DateForms): TypedValue | undefined =>
  confirm(readPrintedDate(text, forms) ?? findPrintedDates(text, forms)[0], "calendar");

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
  return namePattern.test(name) ? unconfirmed(name) : undefined;
};

/**
 * Sequences of words, the longest first: a number may be printed in groups, and other text may be beside it.
 */
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

/**
 * Tried in order: the text as read, the text with look-alikes as digits, its digits alone. The last is for a
 * sign beside the digits that was read as a letter.
 */
const treatments: readonly Treatment[] = [
  [(text) => windowsOf(text, 5), false],
  [(text) => windowsOf(asDigits(text), 5), true],
  [(text) => text.match(/\d(?:[\d.-]*\d)?/g) ?? [], true],
];

/**
 * The sequence with a correct check digit, else the longest of the number's shape; as read, else repaired.
 */
const numberOf = (text: string, name: NumberName, day: string): TypedValue | undefined => {
  // In small print readers confuse dots with commas, or see both.
  const evened = text.replaceAll(/[.,]+/g, ".");
  for (const [windows, isRepaired] of treatments) {
    const readings = windows(evened)
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
