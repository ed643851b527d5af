import type { FieldName } from "../field-name.ts";
import { editDistance } from "../text/edit-distance.ts";
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

/** Whether two places say the same of their field, as far as each can. */
export const isSameValue = (one: Sighting, other: Sighting): boolean => {
  if (nameFields.includes(one.name)) {
    return isSameName(one.value, other.value);
  }
  if (proseFields.includes(one.name)) {
    const [a, b] = [bareOf(one.value), bareOf(other.value)];
    return editDistance(a, b) * 5 <= Math.max(a.length, b.length);
  }
  return bareOf(one.value) === bareOf(other.value);
};

const bareOf = (text: string): string => fold(text).replaceAll(/[^A-Z0-9]/g, "");

/**
 * Names are compared by their letters alone; a name that one source had to cut is the same when it begins the other
 * (9303-5, 4.2.2.3).
 */
const isSameName = (a: string, b: string): boolean => {
  const [left, right] = [bareOf(a), bareOf(b)];
  return (
    left === right || (left !== "" && right !== "" && (left.startsWith(right) || right.startsWith(left)))
  );
};
