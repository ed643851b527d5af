import type { MrzFormat } from "../../reading/mrz/formats.ts";
import { compareNames, type UserName } from "../../values/comparison/compare-names.ts";
import { areSameLetters, partsOf } from "../../values/comparison/letters.ts";
import type { FieldName } from "../../values/field-name.ts";
import type { DocumentFields } from "../fields.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import type { Contradiction } from "../sources/merge.ts";
import { compareReadings } from "../sources/same-value.ts";
import { isConfirmed, isReliable } from "../trust-level.ts";

/**
 * Fields whose values never differ between the two sides of one document. Prose is left out: an address is
 * shortened, and two readers of one line differ in more letters than two addresses of one street.
 */
const identifying: readonly FieldName[] = [
  "documentNumber",
  "personalNumber",
  "serialNumber",
  "documentCode",
  "taxNumber",
  "lastName",
  "firstName",
  "dateOfBirth",
  "sex",
  "nationality",
  "issuer",
  "dateOfIssue",
  "dateOfExpiry",
];

/**
 * Formats whose MRZ is printed on the side of the portrait (9303-4, 9303-6, 9303-7; the French card of 1988).
 */
const pageFormats: readonly MrzFormat[] = ["TD3", "TD2", "MRV-A", "MRV-B", "FRA-ID"];

export const isPageFormat = (format: MrzFormat): boolean => pageFormats.includes(format);

/** Whether the MRZ was read on the image of the front, and belongs there by its format. */
export const isMrzOfPage = ({ mrz }: DocumentFields): boolean =>
  mrz?.side === "front" && isPageFormat(mrz.summary.format);

/**
 * Whether two readings are of two sides. The MRZ of a back that was read on the image of the front is of the
 * other side too: the image shows both sides, or two cards.
 */
export const isAcrossSides = (
  fields: DocumentFields,
  { between: [a, b] }: Pick<Contradiction, "between">,
): boolean =>
  a.side !== b.side ||
  (fields.mrz?.side === "front" && !isMrzOfPage(fields) && (a.source === "mrz") !== (b.source === "mrz"));

/**
 * Both readings are reliable, and they differ in more than a misread character or are both confirmed. Names
 * whose parts are divided differently into surnames and given names do not differ.
 */
export const isReliablyDifferent = (fields: DocumentFields, { between: [a, b] }: Contradiction): boolean =>
  isReliable(fields, a) &&
  isReliable(fields, b) &&
  (compareReadings(a, b) === "differs" || (isConfirmed(fields, a) && isConfirmed(fields, b))) &&
  !isSameWholeName(fields, a, b);

/**
 * The contradictions for which a check of the sides is `false`: no approval goes with one, under any policy.
 */
export const sideContradictions = (fields: DocumentFields): readonly Contradiction[] =>
  fields.contradictions.filter((one) => isOfSides(fields, one));

/** Whether a contradiction makes the check of its field `false`. */
export const isOfSides = (fields: DocumentFields, one: Contradiction): boolean =>
  isAcrossSides(fields, one) && isOfIdentity(fields, one);

/** Whether an identifying field has two values that were both read reliably. */
export const isOfIdentity = (fields: DocumentFields, one: Contradiction): boolean =>
  isReliablyDifferent(fields, one) && isOfHolder(one);

/** Whether the field identifies the holder or the document, and neither value is a part of the other one. */
export const isOfHolder = ({ field, between }: Contradiction): boolean =>
  isIdentifying(field) && !(isName(field) && isPartOfName(...between));

export const isIdentifying = (field: FieldName): boolean => identifying.includes(field);

export const isName = (name: FieldName): boolean => name === "lastName" || name === "firstName";

/**
 * Every part of one name is in the other: a line of a name in two lines, or one of two surnames, was not
 * read.
 */
const isPartOfName = ({ value: a }: FieldReading, { value: b }: FieldReading): boolean => {
  const [few = [], many = []] = [partsOf(a), partsOf(b)].sort((one, other) => one.length - other.length);
  return few.length > 0 && few.every((part) => many.some((other) => areSameLetters(part, other)));
};

/** Whether both sources have the same parts of surnames and given names together. */
export const isSameWholeName = (fields: DocumentFields, a: FieldReading, b: FieldReading): boolean => {
  if (!isName(a.name)) return false;
  const [one, other] = [wholeName(fields, a), wholeName(fields, b)];
  return one !== undefined && other !== undefined && compareNames(one, other).verdict === "same";
};

/** Surnames and given names of the source and side of a reading; undefined where it has one of them alone. */
const wholeName = (fields: DocumentFields, { source, side }: FieldReading): UserName | undefined => {
  const [lastName, firstName] = (["lastName", "firstName"] as const).map(
    (name) => fields.values[name]?.readings.find((one) => one.source === source && one.side === side)?.value,
  );
  return lastName === undefined || firstName === undefined ? undefined : { lastName, firstName };
};
