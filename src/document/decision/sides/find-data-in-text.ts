import type { TextLine } from "../../reading/ocr/text-line.ts";
import { areSameLetters, begins, partsOf } from "../../values/comparison/letters.ts";
import type { FieldName } from "../../values/field-name.ts";
import { asDigit } from "../../values/look-alikes.ts";
import { findPrintedDates } from "../../values/printed-date.ts";
import type { DocumentFields } from "../fields.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import { isMrzOfPage } from "./contradiction.ts";
import { bareOf } from "./portrait-side.ts";

/** A number of fewer characters, or of fewer digits, may stand in any text. Chosen. */
const ofNumber = { lengthMin: 6, digitsMin: 4 } as const;

/** Optional data may hold the code of an office, which stands on many fronts: it is shorter than a person's number. Chosen. */
const ofOptionalData = { lengthMin: 8, digitsMin: 6 } as const;

/** Bounds the work: a side has some twenty lines. Chosen. */
const linesMax = 200;
const lineLengthMax = 200;

/**
 * The fields by which data, of MRZ and barcodes, stands in the text of the portrait's side: a number, or else the names and the
 * birth date. This needs no label, so that it works for cards in every language. Undefined where neither stands there.
 */
export const findDataInText = (
  fields: DocumentFields,
  data: readonly FieldReading[],
  lines: readonly TextLine[],
): readonly FieldName[] | undefined => {
  if (isMrzOfPage(fields)) return undefined;
  const texts = lines.slice(0, linesMax).map(({ text }) => text.slice(0, lineLengthMax));
  const bare = texts.map(looksOf);
  const number = numbersOf(fields, data).find(({ text }) => bare.some((row) => row.includes(text)));
  if (number !== undefined) return [number.name];
  return hasBirth(data, texts) && hasNames(data, texts)
    ? ["lastName", "firstName", "dateOfBirth"]
    : undefined;
};

/** The text with the letters and digits that readers confuse as one. */
const looksOf = (text: string): string => Array.from(bareOf(text), (char) => asDigit(char) ?? char).join("");

type NumberText = { readonly name: FieldName; readonly text: string };

/** The numbers of the data, and those in the optional data of the MRZ: of unknown meaning, they count as personal numbers. */
const numbersOf = ({ mrz }: DocumentFields, data: readonly FieldReading[]): readonly NumberText[] => {
  const named = data.filter(({ name }) => name.endsWith("Number") || name === "documentCode");
  const optional = [mrz?.fields.optional1, mrz?.fields.optional2].flatMap((text) => (text ?? "").split(/<+/));
  const inMrz: NumberText = { name: "documentNumber", text: mrz?.fields.documentNumber ?? "" };
  return [
    ...[...named.map(({ name, value }): NumberText => ({ name, text: value })), inMrz].filter(({ text }) =>
      isLong(text, ofNumber),
    ),
    ...optional
      .filter((text) => isLong(text, ofOptionalData))
      .map((text): NumberText => ({ name: "personalNumber", text })),
  ].map(({ name, text }) => ({ name, text: looksOf(text) }));
};

const isLong = (
  text: string,
  { lengthMin, digitsMin }: { readonly lengthMin: number; readonly digitsMin: number },
): boolean => bareOf(text).length >= lengthMin && text.replaceAll(/\D/g, "").length >= digitsMin;

const hasBirth = (data: readonly FieldReading[], texts: readonly string[]): boolean => {
  // An MRZ has no century (ICAO Doc 9303-3, 4.8).
  const births = data.filter(({ name }) => name === "dateOfBirth").map(({ value }) => value.slice(2));
  return births.length > 0 && texts.some((text) => datesIn(text).some((date) => births.includes(date)));
};

/** Day, month and two digits of the year, which may come first. */
const shortDate = /(?<![\d.-])(\d{2})([./ -])(\d{2})\2(\d{2})(?![\d-])/g;

/** The dates in a text as YY-MM-DD, in each order of day and month. */
const datesIn = (text: string): readonly string[] => [
  ...[false, true].flatMap((isMonthFirst) =>
    findPrintedDates(text, { isMonthFirst }).map((date) => date.slice(2)),
  ),
  ...[...text.matchAll(shortDate)].flatMap(([, one, , two, year]) => [
    `${year}-${two}-${one}`,
    `${year}-${one}-${two}`,
    `${one}-${two}-${year}`,
  ]),
];

/** Every surname and the first given name, each as a word of its own; the last part of a full field may be cut. */
const hasNames = (data: readonly FieldReading[], texts: readonly string[]): boolean => {
  const words = texts.flatMap(partsOf);
  return (["mrz", "barcode"] as const).some((source) => {
    const own = data.filter((one) => one.source === source);
    const [last, first] = (["lastName", "firstName"] as const).map((name) =>
      own.find((one) => one.name === name),
    );
    if (last === undefined && first === undefined) return false;
    return [...partsIn(last), ...partsIn(first).slice(0, 1)].every(({ part, isCut }) =>
      words.some((word) => areSameLetters(part, word) || (isCut && part.length > 3 && begins(part, word))),
    );
  });
};

const partsIn = (
  reading: FieldReading | undefined,
): readonly { readonly part: string; readonly isCut: boolean }[] =>
  reading === undefined
    ? []
    : partsOf(reading.value).map((part, i, all) => ({
        part,
        isCut: reading.mayBeTruncated === true && i === all.length - 1,
      }));
