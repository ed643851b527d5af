import type { TextLine } from "../../reading/ocr/text-line.ts";
import {
  compareNameFields,
  compareNames,
  type NameComparison,
  type UserName,
} from "../../values/comparison/compare-names.ts";
import { compareNumbers } from "../../values/comparison/compare-numbers.ts";
import type { FieldName } from "../../values/field-name.ts";
import { type DocumentFields, fieldReadingsOf } from "../fields.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import { compareReadings } from "../sources/same-value.ts";
import { isReliable } from "../trust-level.ts";
import { isMrzOfPage } from "./contradiction.ts";
import { findDataInText } from "./find-data-in-text.ts";
import { type PortraitSide, portraitSideOf } from "./portrait-side.ts";

/**
 * What shows that the data of a document belongs to the portrait on its front.
 * - `number`: print of the portrait's side and data have one number.
 * - `name-and-birth`: print of the portrait's side and data have the same names and the same birth date.
 * - `page`: the MRZ stands on the page of the portrait, as ICAO Doc 9303-4, 9303-6 and 9303-7 place it. Its print agrees in one
 *   datum at least, or has none that was read reliably.
 * - `print`: the document has neither an MRZ nor a barcode. Its data is the print beside the portrait.
 * - `none`: nothing.
 */
export type Tie = {
  readonly kind: "number" | "name-and-birth" | "page" | "print" | "none";
  /** `values`: by the fields that were read at their labels. `text`: the data stands in the front's text, without a known label. */
  readonly by: "values" | "text" | "place";
  readonly fields: readonly FieldName[];
};

/** A number of fewer characters stands on another person's card by chance. Chosen. */
const numberLengthMin = 5;

const numbers = ["documentNumber", "personalNumber", "serialNumber", "documentCode", "taxNumber"] as const;

const none: Tie = { kind: "none", by: "values", fields: [] };

/** The strongest tie of a document's data to the front, from its fields and the front's printed lines. Pure. */
export const findTie = (fields: DocumentFields, frontLines: readonly TextLine[]): Tie => {
  if (fields.mrz === undefined && fields.payloads.length === 0) return { ...none, kind: "print" };
  const front = portraitSideOf(fields, frontLines);
  return (
    tieOfValues(fields, front) ??
    tieOfText(fields, front) ??
    (isPageTied(fields) ? { kind: "page", by: "place", fields: pageAgrees(fields) } : none)
  );
};

/** A reading of the portrait's side with one of the data that decides. */
type Pair = readonly [onFront: FieldReading, data: FieldReading];

/**
 * Whether one reading is of the portrait's side and the other of the data. Print of the front shows the portrait's side. A barcode on
 * the front does so for an MRZ on the other image. Two readings of a back show nothing of the portrait.
 */
const isAcross = ({ hasPrinted }: PortraitSide, one: FieldReading, data: FieldReading): boolean =>
  hasPrinted(one)
    ? data.source !== "print"
    : one.source === "barcode" && one.side === "front" && data.source === "mrz" && data.side === "back";

/** The readings of MRZ and barcodes. A barcode with another number or birth date than the MRZ is of another card. */
const dataOf = (fields: DocumentFields): readonly FieldReading[] => {
  const isOther = fields.contradictions.some(
    ({ field, between: [a, b] }) =>
      (field === "dateOfBirth" || numbers.some((name) => name === field)) &&
      [a, b].some(({ source }) => source === "mrz") &&
      [a, b].some(({ source }) => source === "barcode") &&
      compareReadings(a, b) === "differs",
  );
  return fieldReadingsOf(fields).filter(
    ({ source }) => source === "mrz" || (source === "barcode" && !isOther),
  );
};

const pairsOf = (fields: DocumentFields, front: PortraitSide, name: FieldName): readonly Pair[] => {
  const data = dataOf(fields).filter((one) => one.name === name);
  return [...(fields.values[name]?.readings ?? []).filter(front.hasPrinted), ...data].flatMap((one) =>
    data.filter((other) => isAcross(front, one, other)).map((other) => [one, other] as const),
  );
};

const tieOfValues = (fields: DocumentFields, front: PortraitSide): Tie | undefined => {
  const same = numbers.filter((name) =>
    pairsOf(fields, front, name).some(([one, other]) => isSameNumber(one.value, other.value)),
  );
  if (same.length > 0) return { kind: "number", by: "values", fields: same };
  const names = nameTie(fields, front);
  const isTied = pairsOf(fields, front, "dateOfBirth").some(
    ([one, other]) =>
      (names !== undefined && isSameDay(one.value, other.value)) ||
      (names === "same" && compareNumbers(one.value, other.value).verdict === "unsure"),
  );
  return isTied
    ? { kind: "name-and-birth", by: "values", fields: ["lastName", "firstName", "dateOfBirth"] }
    : undefined;
};

const isSameNumber = (one: string, other: string): boolean => {
  const { verdict, reason } = compareNumbers(one, other);
  const length = Math.min(...[one, other].map((text) => text.replaceAll(/[^A-Za-z0-9]/g, "").length));
  return (
    length >= numberLengthMin && (verdict === "same" || verdict === "truncated" || reason === "look-alikes")
  );
};

/** An MRZ has no century (ICAO Doc 9303-3, 4.8). */
const isSameDay = (one: string, other: string): boolean => one.slice(2) === other.slice(2);

type PlacedName = UserName & { readonly reading: FieldReading };

/** Names of a source on a side, with one of their readings. */
const namesIn = (all: readonly FieldReading[]): readonly PlacedName[] => {
  const read = all.filter(({ name }) => name === "lastName" || name === "firstName");
  const places = [...new Set(read.map(({ side, source }) => `${side} ${source}`))];
  return places.flatMap((place) => {
    const own = read.filter(({ side, source }) => `${side} ${source}` === place);
    const [reading] = own;
    const of = (name: FieldName): string => own.find((one) => one.name === name)?.value ?? "";
    const mayBeTruncated = own.some((one) => one.mayBeTruncated === true);
    return reading === undefined
      ? []
      : [{ reading, lastName: of("lastName"), firstName: of("firstName"), mayBeTruncated }];
  });
};

type NameTie = "same" | "similar";

/** The closest names of the front and of the data; undefined where none are of one person. */
const nameTie = (fields: DocumentFields, front: PortraitSide): NameTie | undefined => {
  const data = namesIn(dataOf(fields));
  const printed = namesIn(fieldReadingsOf(fields).filter(front.hasPrinted));
  const ties = [...printed, ...data].flatMap((one) =>
    data
      .filter((other) => isAcross(front, one.reading, other.reading))
      .map((other) => tieOfNames(one, other)),
  );
  return ties.includes("same") ? "same" : ties.find((tie) => tie !== undefined);
};

const nameFields = ["lastName", "firstName"] as const;

/**
 * Each name that one of the two states is in the other: a twin has the same surname. Surnames and given names are judged separately,
 * so that a slip in one excuses nothing in the other. Where a side has one name alone, all the parts together are compared.
 */
const tieOfNames = (one: UserName, other: UserName): NameTie | undefined => {
  if (nameFields.some((name) => (one[name] === "") !== (other[name] === ""))) {
    const whole = compareNameFields(
      `${one.lastName} ${one.firstName}`,
      `${other.lastName} ${other.firstName}`,
    );
    return whole.verdict === "same" ? "same" : isOneSpelling(whole) ? "similar" : undefined;
  }
  if (compareNames(one, other).verdict === "same") return "same";
  const cut = { a: one.mayBeTruncated === true, b: other.mayBeTruncated === true };
  const isEach = nameFields
    .map((name) => compareNameFields(one[name], other[name], cut))
    .every((found) => found.verdict === "same" || found.verdict === "truncated" || isOneSpelling(found));
  return isEach ? "similar" : undefined;
};

/** The letters are those of one name, as a reader or a transliteration may change them. */
const isOneSpelling = ({ reason }: Pick<NameComparison, "reason">): boolean =>
  reason === "look-alikes" || reason === "transliteration";

/** The data of the MRZ and the barcodes that stands in the text of the portrait's side. */
const tieOfText = (fields: DocumentFields, { lines }: PortraitSide): Tie | undefined => {
  const found = findDataInText(fields, dataOf(fields), lines);
  return found === undefined
    ? undefined
    : { kind: found.length === 1 ? "number" : "name-and-birth", by: "text", fields: found };
};

const identity = [...numbers, "lastName", "firstName", "dateOfBirth"] as const;

const isPageTied = (fields: DocumentFields): boolean => {
  if (!isMrzOfPage(fields)) return false;
  return pageAgrees(fields).length > 0 || !identity.some((name) => isPrintReliable(fields, name));
};

const isPrintReliable = (fields: DocumentFields, name: FieldName): boolean =>
  (fields.values[name]?.readings ?? []).some(
    (one) => one.source === "print" && one.side === "front" && isReliable(fields, one),
  );

/** The data in which the print of the page agrees with its MRZ. */
const pageAgrees = ({ values }: DocumentFields): readonly FieldName[] =>
  identity.filter((name) => {
    const { sources = [] } = values[name] ?? {};
    return sources.includes("print") && sources.includes("mrz");
  });
