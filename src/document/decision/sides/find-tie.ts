import type { TextLine } from "../../reading/ocr/text-line.ts";
import { compareNameFields, compareNames, type UserName } from "../../values/comparison/compare-names.ts";
import { compareNumbers } from "../../values/comparison/compare-numbers.ts";
import type { FieldName } from "../../values/field-name.ts";
import { type DocumentFields, fieldReadingsOf } from "../fields.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import { isReliable } from "../trust-level.ts";
import { isMrzOfPage } from "./contradiction.ts";
import { findDataInText } from "./find-data-in-text.ts";

/**
 * What shows that the data of a document belongs to the portrait on its front.
 * - `number`: front and data have one number.
 * - `name-and-birth`: front and data have the same names and the same birth date.
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
  return (
    tieOfValues(fields) ??
    tieOfText(fields, frontLines) ??
    (isPageTied(fields) ? { kind: "page", by: "place", fields: pageAgrees(fields) } : none)
  );
};

/** Two readings of which one is on the front, and which are of two sides or of two sources. */
const pairsWithFront = (
  fields: DocumentFields,
  name: FieldName,
): readonly (readonly [FieldReading, FieldReading])[] => {
  const readings = fields.values[name]?.readings ?? [];
  return readings
    .filter(({ side }) => side === "front")
    .flatMap((one) =>
      readings
        .filter((other) => other.side !== one.side || other.source !== one.source)
        .map((other) => [one, other] as const),
    );
};

const tieOfValues = (fields: DocumentFields): Tie | undefined => {
  const same = numbers.filter((name) =>
    pairsWithFront(fields, name).some(([one, other]) => isSameNumber(one.value, other.value)),
  );
  if (same.length > 0) return { kind: "number", by: "values", fields: same };
  const names = nameTie(fields);
  const isTied = pairsWithFront(fields, "dateOfBirth").some(
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

/** Names of a source on a side. */
const namesOn = (fields: DocumentFields): readonly (UserName & Pick<FieldReading, "side" | "source">)[] => {
  const read = fieldReadingsOf(fields).filter(({ name }) => name === "lastName" || name === "firstName");
  const places = [...new Set(read.map(({ side, source }) => `${side} ${source}`))];
  return places.flatMap((place) => {
    const own = read.filter(({ side, source }) => `${side} ${source}` === place);
    const [first] = own;
    const of = (name: FieldName): FieldReading | undefined => own.find((one) => one.name === name);
    return first === undefined
      ? []
      : [
          {
            side: first.side,
            source: first.source,
            lastName: of("lastName")?.value ?? "",
            firstName: of("firstName")?.value ?? "",
            mayBeTruncated: own.some(({ mayBeTruncated }) => mayBeTruncated === true),
          },
        ];
  });
};

type NameTie = "same" | "similar";

/** The closest names of the front and of the data; undefined where none are of one person. */
const nameTie = (fields: DocumentFields): NameTie | undefined => {
  const names = namesOn(fields);
  const ties = names
    .filter(({ side }) => side === "front")
    .flatMap((one) =>
      names
        .filter((other) => other.side !== one.side || other.source !== one.source)
        .map((other) => tieOfNames(one, other)),
    );
  return ties.includes("same") ? "same" : ties.find((tie) => tie !== undefined);
};

/**
 * Each name that one of the two states is in the other: a twin has the same surname. Where a side has one name alone, all the
 * parts together are compared.
 */
const tieOfNames = (one: UserName, other: UserName): NameTie | undefined => {
  const lacksOne = (["lastName", "firstName"] as const).some(
    (name) => (one[name] === "") !== (other[name] === ""),
  );
  const { verdict, reason } = lacksOne
    ? compareNameFields(`${one.lastName} ${one.firstName}`, `${other.lastName} ${other.firstName}`)
    : compareNames(one, other);
  if (verdict === "same") return "same";
  const isSimilar =
    (verdict === "truncated" && !lacksOne) || reason === "look-alikes" || reason === "transliteration";
  return isSimilar ? "similar" : undefined;
};

/** The data of the MRZ and the barcodes that stands in the text of the front. */
const tieOfText = (fields: DocumentFields, lines: readonly TextLine[]): Tie | undefined => {
  const found = findDataInText(fields, lines);
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
