import { isCalendarDate } from "#contract/calendar-date";
import { fold } from "./fold.ts";
import { asCapital, asDigit } from "./look-alikes.ts";
import { monthOfName } from "./month-names.ts";

/** Pattern of a digit after folding, look-alikes included; pattern of a month's word. */
const d = "[0-9OQDILZSBG|]";
const word = "[A-Z0-9|]{3,12}";
const gap = "[\\s./,-]*";

/** 01.02.1990, 01/02/1990, 01-02-1990, 01 02 1990, 1. 2. 1990. */
const yearLast = new RegExp(`^(${d}{1,2})\\s?([./ -])\\s?(${d}{1,2})\\s?\\2\\s?(${d}{4}|${d}{2})$`);
/** 1990-02-01, 1990.02.01., 1990/02/01. */
const yearFirst = new RegExp(`^(${d}{4})\\s?([./ -])\\s?(${d}{1,2})\\s?\\2\\s?(${d}{1,2})\\.?$`);
/** 01 ENE 1990, 01ENE1990, 01/ENE/1990, 01 ENE/ JAN 1990, 1 de enero de 1990, 01 ENE 90. */
const monthNameForm = (year: string): RegExp =>
  new RegExp(
    `^(${d}{1,2})[º.]?${gap}(?:DE )?(${word}?)\\.?(?:\\s?/\\s?(${word}?)\\.?)?${gap}(?:DEL? )?(${year})$`,
  );
const monthNameLongYear = monthNameForm(`${d}{4}`);
const monthNameShortYear = monthNameForm(`${d}{2}`);
/** JANUARY 4, 1990. */
const monthFirst = new RegExp(`^([A-Z]{3,12})\\.?\\s(${d}{1,2}),?\\s(${d}{4})$`);

const digitsOf = (text: string): string =>
  Array.from(text)
    .map((char) => asDigit(char) ?? char)
    .join("");

const lettersOf = (text: string): string =>
  Array.from(text)
    .map((char) => asCapital(char) ?? char)
    .join("");

/** Deviations of a document's dates from the default: day before month, and four-digit years. */
export type DateForms = {
  readonly isMonthFirst?: boolean;
  /** The date (YYYY-MM-DD) of a YYMMDD. If absent, two-digit years are rejected. */
  readonly ofShortYear?: (text: string) => string | undefined;
};

type IsoOf = (year: string, month: string | number, day: string) => string | undefined;

const isoBy =
  ({ ofShortYear }: DateForms): IsoOf =>
  (...parts) => {
    const [year = "", month = "", day = ""] = parts.map((part) => digitsOf(String(part)).padStart(2, "0"));
    const date = year.length === 2 ? ofShortYear?.(year + month + day) : [year, month, day].join("-");
    return date !== undefined && /^(19|20)/.test(date) && isCalendarDate(date) ? date : undefined;
  };

/** Letters alone are no date, whatever they resemble: SI.SI.SOSI. */
const isMostlyDigits = (text: string): boolean =>
  text.replaceAll(/\D/g, "").length * 2 >= text.replaceAll(/[\s./-]/g, "").length;

const readFigures = (text: string, { isMonthFirst }: DateForms, isoOf: IsoOf): string | undefined => {
  if (!isMostlyDigits(text)) {
    return undefined;
  }
  const [, first = "", , second = "", year = ""] = yearLast.exec(text) ?? [];
  const [, ofYear = "", , ofMonth = "", ofDay = ""] = yearFirst.exec(text) ?? [];
  return (
    (isMonthFirst === true ? isoOf(year, first, second) : isoOf(year, second, first)) ??
    isoOf(ofYear, ofMonth, ofDay)
  );
};

const readWithMonthName = (form: RegExp, text: string, isoOf: IsoOf): string | undefined => {
  const [, day = "", first = "", second = "", year = ""] = form.exec(text) ?? [];
  const month = monthOfName(lettersOf(first));
  const same = second === "" || monthOfName(lettersOf(second)) === month;
  return month === undefined || !same || !/\d/.test(year) ? undefined : isoOf(year, month, day);
};

const readMonthFirst = (text: string, isoOf: IsoOf): string | undefined => {
  const [, name = "", day = "", year = ""] = monthFirst.exec(text) ?? [];
  const month = monthOfName(name);
  return month === undefined || !/\d/.test(year) ? undefined : isoOf(year, month, day);
};

/**
 * Reads a text as a date, as YYYY-MM-DD, 1900 to 2099, in Spanish, Portuguese, English and Central European
 * words. Characters that look like a digit count as that digit. Undefined for everything else: for two-digit
 * years when the forms do not allow them, for days that no calendar has, and for two different month names.
 */
export const readPrintedDate = (text: string, forms: DateForms = {}): string | undefined => {
  const folded = fold(text);
  const isoOf = isoBy(forms);
  return (
    readFigures(folded, forms, isoOf) ??
    readWithMonthName(monthNameLongYear, folded, isoOf) ??
    readWithMonthName(monthNameShortYear, folded, isoOf) ??
    readMonthFirst(folded, isoOf)
  );
};

const insideOf = new RegExp(
  [
    "\\d{1,2}\\s?[./-]\\s?\\d{1,2}\\s?[./-]\\s?\\d{4}",
    "\\d{4}\\s?[./-]\\s?\\d{1,2}\\s?[./-]\\s?\\d{1,2}",
    "\\d{4} \\d{2} \\d{2}(?! \\d)",
    "\\d{1,2}[ ./-]?(?:DE )?[A-Z]{3,12}(?:\\s?/\\s?[A-Z]{3,12})?[ ./-]?(?:DEL? )?(?:\\d{4}|\\d{2}(?! \\d\\d(?![ ./-]?[A-Z])))",
    "\\d{2} \\d{2} \\d{4}",
  ]
    .map((form) => `(?<![\\d.-])${form}(?![\\d-])`)
    .join("|"),
  "g",
);

/** Finds all dates in a text, in its order. Only true digits count, because any word may be beside them. */
export const findPrintedDates = (text: string, forms: DateForms = {}): readonly string[] =>
  [...fold(text).matchAll(insideOf)].flatMap(([found]) => readPrintedDate(found, forms) ?? []);
