import type { TextLine } from "../../reading/ocr/text-line.ts";
import { areSameLetters, begins, partsOf } from "../../values/comparison/letters.ts";
import type { FieldName } from "../../values/field-name.ts";
import { findPrintedDates } from "../../values/printed-date.ts";
import type { DocumentFields } from "../fields.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import type { Agreement } from "./agreement.ts";
import { bareOf, looksOf } from "./mrz-rows.ts";

/** A number of fewer characters, or of fewer digits, may stand in any text. The number is our choice. */
const ofNumber = { lengthMin: 6, digitsMin: 4 } as const;

/**
 * Optional data may hold the code of an office, which stands on many fronts: it is shorter than a person's
 * number. The number is our choice.
 */
const ofOptionalData = { lengthMin: 8, digitsMin: 6 } as const;

/** Bounds the work: a side has some twenty lines. The number is our choice. */
const linesMax = 200;
const lineLengthMax = 200;

/**
 * What of the data, of MRZ and barcodes, stands in the text of a side. This needs no label, so that it works
 * for cards in every language. Pure.
 */
export const findDataInText = (
  fields: DocumentFields,
  data: readonly FieldReading[],
  lines: readonly TextLine[],
): readonly Agreement[] => {
  const texts = lines.slice(0, linesMax).map(({ text }) => text.slice(0, lineLengthMax));
  const number = numbersOf(fields, data).find(({ text }) => texts.some((row) => hasNumber(row, text)));
  return [
    ...(number === undefined ? [] : [agreement("number", [number.name])]),
    ...(hasNames(data, texts) ? [agreement("name", ["lastName", "firstName"])] : []),
    ...(hasBirth(data, texts) ? [agreement("birth", ["dateOfBirth"])] : []),
  ];
};

const agreement = (kind: Agreement["kind"], fields: readonly FieldName[]): Agreement => ({
  kind,
  by: "text",
  fields,
});

type NumberText = { readonly name: FieldName; readonly text: string };

/**
 * The numbers of the data, and those in the optional data of the MRZ: of unknown meaning, they count as
 * personal numbers.
 */
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

/**
 * Whether a text has a number, with a check digit behind it or without. A longer number has it not: a
 * taxpayer number of Argentina has the number of the card in its middle.
 */
const hasNumber = (text: string, number: string): boolean => {
  const [bare, looks] = [bareOf(text), looksOf(text)];
  for (let at = looks.indexOf(number); at >= 0; at = looks.indexOf(number, at + 1)) {
    const [before, behind] = [bare.slice(0, at), bare.slice(at + number.length)];
    if (!/\d$/.test(before) && !/^\d\d/.test(behind)) return true;
  }
  return false;
};

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

/** Every surname and given name, each as a word of its own; the last part of a full field may be cut. */
const hasNames = (data: readonly FieldReading[], texts: readonly string[]): boolean =>
  (["mrz", "barcode"] as const).some((source) => {
    const names = data.filter(
      ({ name, source: from }) => from === source && (name === "lastName" || name === "firstName"),
    );
    const words = wordsOfNames(names, texts);
    const parts = names.flatMap(partsIn);
    // Some barcodes have the surname alone. An MRZ without a given name is of a person with one name (ICAO
    // Doc 9303-3, 4.6).
    if (source === "barcode" && !names.some(({ name }) => name === "firstName")) return false;
    return parts.length > 0 && parts.every((part) => words.some((word) => isWord(part, word)));
  });

/**
 * The words of the lines that have no other name beside those of the data: MARIA JOSE is another person than
 * MARIA. Beside them may stand what the data may lack: the end of a full field, or the second surname of a
 * national MRZ. Before a colon stands a label.
 */
const wordsOfNames = (names: readonly FieldReading[], texts: readonly string[]): readonly string[] => {
  const given = names.filter(({ name }) => name === "firstName").flatMap(partsIn);
  const parts = names.flatMap(partsIn);
  const isCut = names.some((one) => one.mayBeTruncated === true);
  const mayLackSurname = names.some((one) => one.mayOmitParts === true);
  return texts
    .map((text) => partsOf(text.slice(text.lastIndexOf(":") + 1)))
    .filter(
      (words) =>
        isCut ||
        words.every((word) => parts.some((part) => isWord(part, word))) ||
        (mayLackSurname && !words.some((word) => given.some((part) => isWord(part, word)))),
    )
    .flat();
};

type NamePart = { readonly part: string; readonly isCut: boolean };

const isWord = ({ part, isCut }: NamePart, word: string): boolean =>
  areSameLetters(part, word) || (isCut && begins(part, word));

const partsIn = ({ value, mayBeTruncated }: FieldReading): readonly NamePart[] =>
  partsOf(value).map((part, i, all) => ({
    part,
    isCut: mayBeTruncated === true && i === all.length - 1,
  }));
