import type { Box } from "#machine/imaging/image";
import type { FieldName } from "../../values/field-name.ts";
import type { ReadConfirmation } from "../viz/read-value.ts";

/** Where a value comes from. `print` is the visual inspection zone (VIZ). */
export type FieldSource = "mrz" | "barcode" | "print";

/** What confirms a value beside the confidence of its reader. */
export type Confirmation = ReadConfirmation | "second-source";

/** A value of a field, read from one source on one side. */
export type FieldReading = {
  readonly name: FieldName;
  readonly source: FieldSource;
  readonly side: "front" | "back";
  /** In plain form: dates YYYY-MM-DD, countries alpha-3, sexes M F X, numbers canonical. */
  readonly value: string;
  /** The text in the source. */
  readonly raw: string;
  /** 0…1. */
  readonly confidence: number;
  /** 0…1, of the reader alone, before any confirmation; absent: equal to `confidence`. */
  readonly readConfidence?: number;
  readonly confirmedBy?: Confirmation;
  /** Where it is printed, as shares of the upright side. */
  readonly box?: Box;
  /** The first spelling of its label. */
  readonly label?: string;
  /** A national number whose own check digit is wrong. */
  readonly isBroken?: boolean;
  /** A name from a field that is full to its last character. */
  readonly mayBeTruncated?: boolean;
  /** A name from a field that has no space for another part: whole parts may have been left out. */
  readonly hasNoSpace?: boolean;
  /** A name from an MRZ that may lack the last parts of the printed one. */
  readonly mayOmitParts?: boolean;
  /** The value is from an MRZ whose text is certain: no other source overrules it. */
  readonly isBinding?: boolean;
  /** The value is from a card that is known only by its printed words: it is never reliable. */
  readonly isUnconfirmed?: boolean;
  /** Its place in the source is uncertain: it counts only where another source has the same value. */
  readonly isUnsettled?: boolean;
};
