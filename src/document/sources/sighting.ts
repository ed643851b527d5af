import type { Box } from "#imaging/image";
import type { FieldName } from "../field-name.ts";
import type { ReadConfirmation } from "../print/read-value.ts";

export type FieldSource = "mrz" | "barcode" | "print";

/** What vouches for a value beside the confidence of its reader. */
export type Confirmation = ReadConfirmation | "second-source";

/** A value that one source of one side tells. */
export type Sighting = {
  readonly name: FieldName;
  readonly source: FieldSource;
  readonly side: "front" | "back";
  /** In plain form: dates YYYY-MM-DD, countries alpha-3, sexes M F X, numbers canonical. */
  readonly value: string;
  /** As the source has it. */
  readonly raw: string;
  /** 0…1. */
  readonly confidence: number;
  /** 0…1, of the reader alone, before anything confirmed it; absent: the same. */
  readonly readConfidence?: number;
  readonly confirmedBy?: Confirmation;
  /** Where it is printed, as shares of the upright side; the first spelling of its label. */
  readonly box?: Box;
  readonly label?: string;
  /** A national number whose own check digit is wrong. */
  readonly isBroken?: boolean;
  /** A name from a field that is full to the last letter. */
  readonly mayBeTruncated?: boolean;
  /** Its place in the source is not settled: of use only where another source says the same. */
  readonly isUnsettled?: boolean;
};
