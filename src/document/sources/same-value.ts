import { compareNameFields } from "../comparison/compare-names.ts";
import { compareNumbers } from "../comparison/compare-numbers.ts";
import type { Verdict } from "../comparison/comparison.ts";
import type { FieldName } from "../field-name.ts";
import { isWithinEdits } from "../text/edit-distance.ts";
import { fold } from "../text/fold.ts";
import type { Sighting } from "./sighting.ts";

const nameFields: readonly FieldName[] = [
  "lastName",
  "firstName",
  "otherName",
  "spouseName",
  "fatherName",
  "motherName",
];
const proseFields: readonly FieldName[] = [
  "address",
  "placeOfBirth",
  "placeOfIssue",
  "authority",
  "profession",
  "civilStatus",
];
const closedFields: readonly FieldName[] = ["sex", "nationality", "issuer"];

/** What two places say of one field, compared by its kind. */
export const compareSightings = (one: Sighting, other: Sighting): Verdict => {
  const { name } = one;
  if (nameFields.includes(name)) {
    const cut = { a: one.mayBeTruncated === true, b: other.mayBeTruncated === true };
    return compareNameFields(one.value, other.value, cut).verdict;
  }
  if (proseFields.includes(name)) {
    const [a, b] = [bareOf(one.value), bareOf(other.value)];
    return isWithinEdits(a, b, Math.max(a.length, b.length) / 5) ? "same" : "differs";
  }
  if (closedFields.includes(name)) {
    return one.value === other.value ? "same" : "differs";
  }
  if (isOtherCentury(one, other)) {
    return "same";
  }
  return compareNumbers(one.value, other.value).verdict;
};

const yearFields: readonly FieldName[] = ["dateOfBirth", "yearOfBirth", "dateOfIssue", "dateOfExpiry"];

/**
 * Dates that differ in the century alone, which a zone does not have (ICAO Doc 9303-3, 4.8): the newest that is possible was
 * assumed for it, so the other one is of an earlier.
 */
export const isOtherCentury = (one: Sighting, other: Sighting): boolean => {
  const [assumed, stated] = one.source === "mrz" ? [one, other] : [other, one];
  return (
    yearFields.includes(one.name) &&
    assumed.source === "mrz" &&
    stated.value < assumed.value &&
    stated.value.slice(2) === assumed.value.slice(2)
  );
};

/** Whether two places say the same of their field, as far as each can. */
export const isSameValue = (one: Sighting, other: Sighting): boolean => {
  const verdict = compareSightings(one, other);
  return verdict === "same" || verdict === "truncated";
};

const bareOf = (text: string): string => fold(text).replaceAll(/[^A-Z0-9]/g, "");
