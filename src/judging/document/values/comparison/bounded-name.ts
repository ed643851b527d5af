import { compareNameFields } from "./compare-names.ts";
import { partsOf } from "./letters.ts";

/** A name in an MRZ whose text is certain, and what that MRZ may have left out of it. */
export type NameBound = {
  readonly value: string;
  /** Its field is full to the last letter. */
  readonly mayBeTruncated: boolean;
  /** National cards whose MRZ has the first surname alone. */
  readonly mayOmitParts: boolean;
};

/**
 * Whether a name may be answered in place of the MRZ's. Only marks, case and separators may differ, and an
 * end that the MRZ has left out. A neighbouring line makes a longer name too, so an MRZ with space left is
 * complete.
 */
export const isWithinBound = (name: string, { value, mayBeTruncated, mayOmitParts }: NameBound): boolean => {
  const { verdict, reason } = compareNameFields(value, name, { a: mayBeTruncated, b: false });
  return verdict === "same"
    ? reason === "equal"
    : verdict === "truncated" && hasMore(name, value) && (mayBeTruncated || mayOmitParts);
};

/** Whether `name` has more letters than `other`. */
export const hasMore = (name: string, other: string): boolean =>
  partsOf(name).join("").length > partsOf(other).join("").length;
