import type { TextLine } from "../../reading/ocr/text-line.ts";
import { areSameLetters, begins, partsOf } from "../../values/comparison/letters.ts";
import type { FieldName } from "../../values/field-name.ts";
import { asDigit } from "../../values/look-alikes.ts";
import { findPrintedDates } from "../../values/printed-date.ts";
import { type DocumentFields, fieldReadingsOf } from "../fields.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import { isMrzOfPage } from "./contradiction.ts";

/** A number of fewer characters, or of fewer digits, may stand in any text. Chosen. */
const ofNumber = { lengthMin: 6, digitsMin: 4 } as const;

/** Optional data may hold the code of an office, which stands on many fronts: it is shorter than a person's number. Chosen. */
const ofOptionalData = { lengthMin: 8, digitsMin: 6 } as const;

/** Bounds the work: a side has some twenty lines. Chosen. */
const linesMax = 200;
const lineLengthMax = 200;

/**
 * The fields by which the data of MRZ and barcodes stands in the front's text: a number, or else the names and the birth date.
 * This needs no label, so that it works for cards in every language. Undefined where neither stands there. The text of an MRZ on
 * the same image is no print.
 */
export const findDataInText = (
  fields: DocumentFields,
  lines: readonly TextLine[],
): readonly FieldName[] | undefined => {
  if (isMrzOfPage(fields)) return undefined;
  const texts = withoutMrz(fields, lines.slice(0, linesMax)).map(({ text }) => text.slice(0, lineLengthMax));
  const data = fieldReadingsOf(fields).filter(({ source }) => source !== "print");
  const bare = texts.map(looksOf);
  const number = numbersOf(fields, data).find(({ text }) => bare.some((row) => row.includes(text)));
  if (number !== undefined) return [number.name];
  return hasBirth(data, texts) && hasNames(data, texts)
    ? ["lastName", "firstName", "dateOfBirth"]
    : undefined;
};

const bareOf = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");

/** The lines apart from the area of the lines that an MRZ on this image is read as. */
const withoutMrz = ({ mrz }: DocumentFields, lines: readonly TextLine[]): readonly TextLine[] => {
  if (mrz?.side !== "front") return lines;
  const rows = mrz.summary.lines.map(bareOf);
  const isRow = ({ text }: TextLine): boolean =>
    text.includes("<") || (bareOf(text).length >= 10 && rows.some((row) => row.includes(bareOf(text))));
  const areas = lines.filter(isRow).map(({ box }) => box);
  // An MRZ of which no line is known may be any of the lines.
  if (areas.length === 0) return [];
  const [left, top, right, bottom] = [
    Math.min(...areas.map(({ x }) => x)),
    Math.min(...areas.map(({ y, height }) => y - height)),
    Math.max(...areas.map(({ x, width }) => x + width)),
    Math.max(...areas.map(({ y, height }) => y + 2 * height)),
  ];
  return lines.filter(
    ({ box: { x, y, width, height } }) =>
      x + width / 2 < left || x + width / 2 > right || y + height / 2 < top || y + height / 2 > bottom,
  );
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

/** Day, month and two digits of the year. */
const shortDate = /(?<![\d.-])(\d{2})([./ -])(\d{2})\2(\d{2})(?![\d-])/g;

/** The dates in a text as YY-MM-DD, in each order of day and month. */
const datesIn = (text: string): readonly string[] => [
  ...[false, true].flatMap((isMonthFirst) =>
    findPrintedDates(text, { isMonthFirst }).map((date) => date.slice(2)),
  ),
  ...[...text.matchAll(shortDate)].flatMap(([, one, , two, year]) => [
    `${year}-${two}-${one}`,
    `${year}-${one}-${two}`,
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
