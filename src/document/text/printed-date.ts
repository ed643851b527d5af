import { isCalendarDate } from "../dates.ts";
import { fold } from "./fold.ts";
import { asCapital, asDigit } from "./look-alikes.ts";
import { monthOfName } from "./month-names.ts";

/** What stands for a digit after folding, a look-alike included; what stands for a letter of a month. */
const d = "[0-9OQDILZSBG|]";
const word = "[A-Z0-9|]{3,12}";
const gap = "[\\s./,-]*";

/** 01.02.1990, 01/02/1990, 01-02-1990, 01 02 1990, 1. 2. 1990: the day first, as in all countries that are read. */
const dayFirst = new RegExp(`^(${d}{1,2})\\s?([./ -])\\s?(${d}{1,2})\\s?\\2\\s?(${d}{4})$`);
/** 1990-02-01, 1990.02.01., 1990/02/01. */
const yearFirst = new RegExp(`^(${d}{4})\\s?([./ -])\\s?(${d}{1,2})\\s?\\2\\s?(${d}{1,2})\\.?$`);
/** 01 ENE 1990, 01ENE1990, 01/ENE/1990, 01 ENE/ JAN 1990, 1 de enero de 1990. */
const named = new RegExp(
  `^(${d}{1,2})[º.]?${gap}(?:DE )?(${word}?)\\.?(?:\\s?/\\s?(${word}?)\\.?)?${gap}(?:DEL? )?(${d}{4})$`,
);
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

const isoOf = (year: string, month: string | number, day: string): string | undefined => {
  const parts = [digitsOf(year), digitsOf(String(month)).padStart(2, "0"), digitsOf(day).padStart(2, "0")];
  const date = parts.join("-");
  return /^(19|20)/.test(date) && isCalendarDate(date) ? date : undefined;
};

/** Letters alone are no date, whatever they look like: SI.SI.SOSI. */
const isMostlyDigits = (text: string): boolean =>
  text.replaceAll(/\D/g, "").length * 2 >= text.replaceAll(/[\s./-]/g, "").length;

const readFigures = (text: string): string | undefined => {
  if (!isMostlyDigits(text)) {
    return undefined;
  }
  const [, day = "", , month = "", year = ""] = dayFirst.exec(text) ?? [];
  const [, ofYear = "", , ofMonth = "", ofDay = ""] = yearFirst.exec(text) ?? [];
  return isoOf(year, month, day) ?? isoOf(ofYear, ofMonth, ofDay);
};

const readNamed = (text: string): string | undefined => {
  const [, day = "", first = "", second = "", year = ""] = named.exec(text) ?? [];
  const month = monthOfName(lettersOf(first));
  const same = second === "" || monthOfName(lettersOf(second)) === month;
  return month === undefined || !same || !/\d/.test(year) ? undefined : isoOf(year, month, day);
};

const readMonthFirst = (text: string): string | undefined => {
  const [, name = "", day = "", year = ""] = monthFirst.exec(text) ?? [];
  const month = monthOfName(name);
  return month === undefined || !/\d/.test(year) ? undefined : isoOf(year, month, day);
};

/**
 * The date that this text is, as YYYY-MM-DD, 1900 to 2099: the forms of the countries in Spanish, Portuguese, English and
 * Central European words, the day before the month. Characters that look like a digit count as one. Undefined for
 * everything else, for two-digit years, for days that no calendar has and for two month names that differ.
 */
export const readPrintedDate = (text: string): string | undefined => {
  const folded = fold(text);
  return readFigures(folded) ?? readNamed(folded) ?? readMonthFirst(folded);
};

const insideOf = new RegExp(
  [
    "\\d{1,2}\\s?[./-]\\s?\\d{1,2}\\s?[./-]\\s?\\d{4}",
    "\\d{4}-\\d{2}-\\d{2}",
    "\\d{1,2}[ ./-]?(?:DE )?[A-Z]{3,12}(?:\\s?/\\s?[A-Z]{3,12})?[ ./-]?(?:DEL? )?\\d{4}",
    "\\d{2} \\d{2} \\d{4}",
  ]
    .map((form) => `(?<![\\d.-])${form}(?![\\d-])`)
    .join("|"),
  "g",
);

/** The dates that stand somewhere in this text, in its order; true digits only, because any word may stand beside them. */
export const findPrintedDates = (text: string): readonly string[] =>
  [...fold(text).matchAll(insideOf)].flatMap(([found]) => readPrintedDate(found) ?? []);
