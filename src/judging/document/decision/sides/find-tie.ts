import { isReliable as isReliableLine } from "../../reading/read-side-text.ts";
import type { FieldName } from "../../values/field-name.ts";
import { type DocumentFields, type FieldSources, fieldReadingsOf } from "../fields.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import { compareReadings } from "../sources/same-value.ts";
import { isReliable } from "../trust-level.ts";
import type { Agreement } from "./agreement.ts";
import { isMrzOfPage, isOfSides } from "./contradiction.ts";
import { findDataInText } from "./find-data-in-text.ts";
import { findValues, hasOtherNames, numbers } from "./find-values.ts";
import { otherSideOf, portraitSideOf, type SidePrint } from "./portrait-side.ts";

/**
 * What shows that the data of a document belongs to the portrait on its front. Print of the portrait's side
 * has two of these in common with the data of MRZ and barcodes: a number, all the names, the birth date. One
 * of them at least is not on the other image.
 * - `number`: the number is one of them.
 * - `name-and-birth`: the names and the birth date.
 * - `page`: the MRZ is on the page of the portrait, as ICAO Doc 9303-4, 9303-6 and 9303-7 place it. Its print
 *   agrees in one datum at least, or too little of it was read.
 * - `print`: the document has neither an MRZ nor a barcode. Print beside the portrait identifies the holder.
 * - `none`: nothing.
 */
export type Tie = {
  readonly kind: "number" | "name-and-birth" | "page" | "print" | "none";
  /**
   * `values`: two kinds were read at their labels. `text`: one of them or both stand in the text, without a
   * known label.
   */
  readonly by: "values" | "text" | "place";
  readonly fields: readonly FieldName[];
};

const none: Tie = { kind: "none", by: "values", fields: [] };

/**
 * The strongest tie of a document's data to the front, from its fields and what was read of its images. Pure.
 */
export const findTie = (fields: DocumentFields, sources: FieldSources): Tie => {
  const front = portraitSideOf(fields, sources);
  if (!isDigital(fields))
    return identityIn(fields).some(front.hasPrinted) ? { ...none, kind: "print" } : none;
  const found = isContradicted(fields, front) ? [] : agreementsOf(fields, front);
  const others = isMrzOfPage(fields) ? [] : agreementsOf(fields, otherSideOf(fields, sources));
  return isTwoKinds(found, others) ? tieOf(found) : tieOfPage(fields, front, found);
};

/**
 * Two kinds of data, because one of them may stand on a sticker or be a twin's. What stands on both images
 * alike may be one side that was photographed twice.
 */
const isTwoKinds = (found: readonly Agreement[], others: readonly Agreement[]): boolean =>
  found.length > 1 && found.some(({ kind }) => !others.some((other) => other.kind === kind));

const tieOf = (found: readonly Agreement[]): Tie => ({
  kind: found.some(({ kind }) => kind === "number") ? "number" : "name-and-birth",
  by: found.filter(({ by }) => by === "values").length > 1 ? "values" : "text",
  fields: found.flatMap((one) => one.fields),
});

/** What print of a side and the data have in common: at labels, or else in the text. */
const agreementsOf = (fields: DocumentFields, { lines, hasPrinted }: SidePrint): readonly Agreement[] => {
  const data = dataOf(fields);
  const values = findValues(fields, data, hasPrinted);
  const isOther = hasOtherNames(fields, data, hasPrinted);
  const inText = findDataInText(fields, data, lines).filter(
    ({ kind }) => !values.some((one) => one.kind === kind) && !(kind === "name" && isOther),
  );
  return [...values, ...inText];
};

const identity = [...numbers, "lastName", "firstName", "dateOfBirth"] as const;

const identifiesHolder = (name: FieldName): boolean => identity.some((one) => one === name);

/** Print of the portrait's side is of another person or document. */
const isContradicted = (fields: DocumentFields, { hasPrinted }: SidePrint): boolean =>
  fields.contradictions.some(
    (one) => identifiesHolder(one.field) && one.between.some(hasPrinted) && isOfSides(fields, one),
  );

/**
 * The readings of MRZ and barcodes. A barcode with another number or birth date than the MRZ is of another
 * card.
 */
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

const isDigital = ({ mrz, payloads }: DocumentFields): boolean => mrz !== undefined || payloads.length > 0;

const identityIn = (fields: DocumentFields): readonly FieldReading[] =>
  fieldReadingsOf(fields).filter(({ name }) => identifiesHolder(name));

/** Whether anything was read that a tie can use: an MRZ, a barcode, or print that identifies the holder. */
export const isDataRead = (fields: DocumentFields): boolean =>
  isDigital(fields) || identityIn(fields).length > 0;

/**
 * So many reliable lines beside the MRZ show the print of a page: a passport has some twenty. The number is
 * our choice.
 */
const pageLinesMin = 6;

const tieOfPage = (fields: DocumentFields, front: SidePrint, found: readonly Agreement[]): Tie => {
  if (!isMrzOfPage(fields)) return none;
  const agrees = [...new Set([...pageAgrees(fields), ...found.flatMap((one) => one.fields)])];
  const isPrintRead =
    identity.some((name) => isPrintReliable(fields, name)) ||
    front.lines.filter(isReliableLine).length >= pageLinesMin;
  return agrees.length > 0 || !isPrintRead ? { kind: "page", by: "place", fields: agrees } : none;
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
