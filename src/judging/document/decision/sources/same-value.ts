import { hasMore, isWithinBound } from "../../values/comparison/bounded-name.ts";
import { compareNameFields } from "../../values/comparison/compare-names.ts";
import { compareNumbers } from "../../values/comparison/compare-numbers.ts";
import type { Verdict } from "../../values/comparison/comparison.ts";
import { areSameLetters, partsOf } from "../../values/comparison/letters.ts";
import { isWithinEdits } from "../../values/edit-distance.ts";
import type { FieldName } from "../../values/field-name.ts";
import { fold } from "../../values/fold.ts";
import type { FieldReading } from "./field-reading.ts";

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

/** Compares two readings of one field, by the kind of the field. */
export const compareReadings = (one: FieldReading, other: FieldReading): Verdict => {
  const { name } = one;
  if (exceedsMrz(one, other)) {
    return "unsure";
  }
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

/**
 * Whether a name has every part of an MRZ's, and more for which the MRZ had space. It was added, or a
 * neighbouring line was read with it.
 */
export const exceedsMrz = (one: FieldReading, other: FieldReading): boolean => {
  const [mrz, longer] = one.source === "mrz" ? [one, other] : [other, one];
  if (
    mrz.source !== "mrz" ||
    longer.source === "mrz" ||
    !(one.name === "lastName" || one.name === "firstName")
  ) {
    return false;
  }
  const { verdict, reason } = compareNameFields(mrz.value, longer.value);
  const [own, parts] = [partsOf(mrz.value), partsOf(longer.value)];
  return (
    mrz.hasNoSpace !== true &&
    verdict !== "same" &&
    reason !== "particles" &&
    hasMore(longer.value, mrz.value) &&
    (own.every((part) => parts.some((of) => areSameLetters(part, of))) ||
      (verdict === "unsure" && reason === "cut" && !isOneLetter(own, parts))) &&
    !isWithinBound(longer.value, {
      value: mrz.value,
      mayBeTruncated: mrz.mayBeTruncated === true,
      mayOmitParts: mrz.mayOmitParts === true,
    })
  );
};

/** Whether as many parts have one letter more: it may be misread, as in ANAA for ANA. */
const isOneLetter = (own: readonly string[], parts: readonly string[]): boolean =>
  own.length === parts.length && parts.join("").length - own.join("").length === 1;

const yearFields: readonly FieldName[] = ["dateOfBirth", "yearOfBirth", "dateOfIssue", "dateOfExpiry"];

/**
 * Whether two dates differ in the century alone. An MRZ has no century (ICAO Doc 9303-3, 4.8): the newest
 * possible one is assumed for it, so the other source states an earlier one.
 */
export const isOtherCentury = (one: FieldReading, other: FieldReading): boolean => {
  const [assumed, stated] = one.source === "mrz" ? [one, other] : [other, one];
  return (
    yearFields.includes(one.name) &&
    assumed.source === "mrz" &&
    stated.value < assumed.value &&
    stated.value.slice(2) === assumed.value.slice(2)
  );
};

/** Whether two readings have the same value, a truncated one included. */
export const isSameValue = (one: FieldReading, other: FieldReading): boolean => {
  const verdict = compareReadings(one, other);
  return verdict === "same" || verdict === "truncated";
};

const bareOf = (text: string): string => fold(text).replaceAll(/[^A-Z0-9]/g, "");
