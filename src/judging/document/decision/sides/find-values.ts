import {
  compareNameFields,
  compareNames,
  type NameComparison,
  type UserName,
} from "../../values/comparison/compare-names.ts";
import { compareNumbers } from "../../values/comparison/compare-numbers.ts";
import { partsOf } from "../../values/comparison/letters.ts";
import type { FieldName } from "../../values/field-name.ts";
import { type DocumentFields, fieldReadingsOf } from "../fields.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import type { Agreement } from "./agreement.ts";

/** A number of fewer characters stands on another person's card by chance. The number is our choice. */
const numberLengthMin = 5;

export const numbers = [
  "documentNumber",
  "personalNumber",
  "serialNumber",
  "documentCode",
  "taxNumber",
] as const;

/** What of the data, of MRZ and barcodes, was read at its label in the print of a side. Pure. */
export const findValues = (
  fields: DocumentFields,
  data: readonly FieldReading[],
  hasPrinted: (reading: FieldReading) => boolean,
): readonly Agreement[] => {
  const printed = fieldReadingsOf(fields).filter(hasPrinted);
  const same = numbers.filter((name) =>
    pairsOf(name, printed, data).some(([one, other]) => isSameNumber(one.value, other.value)),
  );
  const name = closestNames(printed, data);
  const isBirth = pairsOf("dateOfBirth", printed, data).some(
    ([one, other]) =>
      isSameDay(one.value, other.value) ||
      (name === "same" && compareNumbers(one.value, other.value).verdict === "unsure"),
  );
  return [
    ...(same.length > 0 ? [agreement("number", same)] : []),
    ...(name === "same" || name === "similar" ? [agreement("name", ["lastName", "firstName"])] : []),
    ...(isBirth ? [agreement("birth", ["dateOfBirth"])] : []),
  ];
};

/** Whether names that were read at their labels are of another person than the data's. */
export const hasOtherNames = (
  fields: DocumentFields,
  data: readonly FieldReading[],
  hasPrinted: (reading: FieldReading) => boolean,
): boolean => closestNames(fieldReadingsOf(fields).filter(hasPrinted), data) === "other";

const agreement = (kind: Agreement["kind"], fields: readonly FieldName[]): Agreement => ({
  kind,
  by: "values",
  fields,
});

type Pair = readonly [printed: FieldReading, data: FieldReading];

const pairsOf = (
  name: FieldName,
  printed: readonly FieldReading[],
  data: readonly FieldReading[],
): readonly Pair[] =>
  printed
    .filter((one) => one.name === name)
    .flatMap((one) => data.filter((other) => other.name === name).map((other) => [one, other] as const));

const isSameNumber = (one: string, other: string): boolean => {
  const { verdict, reason } = compareNumbers(one, other);
  const length = Math.min(...[one, other].map((text) => text.replaceAll(/[^A-Za-z0-9]/g, "").length));
  return (
    length >= numberLengthMin && (verdict === "same" || verdict === "truncated" || reason === "look-alikes")
  );
};

/** An MRZ has no century (ICAO Doc 9303-3, 4.8). */
const isSameDay = (one: string, other: string): boolean => one.slice(2) === other.slice(2);

type SourceNames = UserName & Pick<FieldReading, "mayOmitParts">;

/** The names of each source and side. */
const namesIn = (all: readonly FieldReading[]): readonly SourceNames[] => {
  const read = all.filter(({ name }) => name === "lastName" || name === "firstName");
  const places = [...new Set(read.map(({ side, source }) => `${side} ${source}`))];
  return places.flatMap((place): readonly SourceNames[] => {
    const own = read.filter(({ side, source }) => `${side} ${source}` === place);
    const of = (name: FieldName): string => own.find((one) => one.name === name)?.value ?? "";
    // Some barcodes have the surname alone. An MRZ without a given name is of a person with one name (ICAO
    // Doc 9303-3, 4.6).
    const isSurnameAlone = of("firstName") === "" && own.some(({ source }) => source === "barcode");
    return isSurnameAlone
      ? []
      : [
          {
            lastName: of("lastName"),
            firstName: of("firstName"),
            mayBeTruncated: own.some((one) => one.mayBeTruncated === true),
            mayOmitParts: own.some((one) => one.mayOmitParts === true),
          },
        ];
  });
};

/**
 * `similar`: as a reader or a transliteration may change it. `unsure`: a part was not read, or a letter was
 * misread.
 */
type NameTie = "same" | "similar" | "unsure" | "other";

const closest = ["same", "similar", "unsure", "other"] as const satisfies readonly NameTie[];

const closestNames = (
  printed: readonly FieldReading[],
  data: readonly FieldReading[],
): NameTie | undefined => {
  const ties = namesIn(printed).flatMap((one) => namesIn(data).map((other) => compareSources(one, other)));
  return closest.find((tie) => ties.includes(tie));
};

const nameFields = ["lastName", "firstName"] as const;

const wholeOf = ({ lastName, firstName }: UserName): string => `${lastName} ${firstName}`;

/**
 * Surnames and given names are judged separately, so that a slip in one excuses nothing in the other. Where a
 * side has one of them alone, all the parts together are compared.
 */
const compareSources = (printed: UserName, data: SourceNames): NameTie => {
  const isWhole = nameFields.some((name) => (printed[name] === "") !== (data[name] === ""));
  if (!isWhole && compareNames(printed, { ...data, mayBeTruncated: false }).verdict === "same") return "same";
  const ties = isWhole
    ? [compareField(wholeOf(printed), wholeOf(data), data, "firstName")]
    : nameFields.map((name) => compareField(printed[name], data[name], data, name));
  return closest.findLast((tie) => ties.includes(tie)) ?? "unsure";
};

/** Print has every part of the data's name, and no other but what the data may lack. */
const compareField = (
  printed: string,
  data: string,
  { mayBeTruncated = false, mayOmitParts = false }: SourceNames,
  name: (typeof nameFields)[number],
): NameTie => {
  const found = compareNameFields(printed, data, { a: false, b: mayBeTruncated });
  if (found.verdict === "same") return "same";
  if (isOneSpelling(found) || found.reason === "particles") return "similar";
  if (found.verdict === "differs") return "other";
  if (found.verdict !== "truncated") return "unsure";
  if (partsOf(printed).length < partsOf(data).length) return "unsure";
  const mayLack = mayBeTruncated || (mayOmitParts && name === "lastName");
  return mayLack || found.reason === "cut" ? "similar" : "other";
};

/** The letters are those of one name, as a reader or a transliteration may change them. */
const isOneSpelling = ({ reason }: Pick<NameComparison, "reason">): boolean =>
  reason === "look-alikes" || reason === "transliteration";
