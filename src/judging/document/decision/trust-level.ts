import type { FieldName } from "../values/field-name.ts";
import type { DocumentFields } from "./fields.ts";
import type { FieldReading } from "./sources/field-reading.ts";
import type { Field } from "./sources/merge.ts";

/**
 * Trust in one reading of a field, lowest first.
 * - `read`: a source has the value, and the reader may have misread it.
 * - `reliable`: a difference of more than one misread character may count against the document.
 * - `confirmed`: a difference of a single character may count too.
 */
export type TrustLevel = "read" | "reliable" | "confirmed";

/**
 * `digital`: MRZ and barcode. `confirmedPrint`: print that a calendar, a list or a number's rule confirms.
 */
type ReadingKind = "digital" | "plainPrint" | "confirmedPrint";

const never = Infinity;

/**
 * Least confidence of each level. The number is our choice. `digital` is below the confidence of an accepted
 * MRZ (0.99) and equal to that of a gated barcode (0.95). Printed values in documents of known content
 * (docs/measurements/documents.md, "Printed fields"): `plainPrint` from 0.95 had 0 of 148 wrong, from 0.9 6
 * of 170; `confirmedPrint` from 0.9 had 0 of 311.
 */
const confidenceMin: Readonly<Record<Exclude<TrustLevel, "read">, Readonly<Record<ReadingKind, number>>>> = {
  reliable: { digital: 0.95, plainPrint: 0.95, confirmedPrint: 0.9 },
  confirmed: { digital: 0.95, plainPrint: never, confirmedPrint: 0.97 },
};

const kindOf = ({ source, confirmedBy }: FieldReading): ReadingKind => {
  if (source !== "print") {
    return "digital";
  }
  return confirmedBy === undefined ? "plainPrint" : "confirmedPrint";
};

/**
 * The highest level that a reading reaches. Pure. A number with a wrong check digit, an MRZ that is not
 * accepted and the print of a card that is known by its words alone stay `read`.
 */
export const trustLevelOf = (fields: DocumentFields, reading: FieldReading): TrustLevel => {
  const isUsable =
    reading.isBroken !== true &&
    reading.isUnconfirmed !== true &&
    (reading.source !== "mrz" || isMrzAccepted(fields));
  const reaches = (level: keyof typeof confidenceMin): boolean =>
    reading.confidence >= confidenceMin[level][kindOf(reading)];
  if (!isUsable || !reaches("reliable")) {
    return "read";
  }
  return reaches("confirmed") ? "confirmed" : "reliable";
};

/** Whether a reading is `reliable` or more. */
export const isReliable = (fields: DocumentFields, reading: FieldReading): boolean =>
  trustLevelOf(fields, reading) !== "read";

/** Whether a reading is `confirmed`. */
export const isConfirmed = (fields: DocumentFields, reading: FieldReading): boolean =>
  trustLevelOf(fields, reading) === "confirmed";

/** Whether a value is of a card that is known by its printed words alone: then all its readings are. */
export const isUnconfirmed = ({ readings }: Pick<Field, "readings">): boolean =>
  readings.some((reading) => reading.isUnconfirmed === true);

const isMrzAccepted = ({ mrz }: DocumentFields): boolean => mrz?.summary.accepted === true;

/**
 * Whether a merged value may decline a document: an accepted MRZ has it, or two sources agree. A clear MRZ
 * alone is not enough: its check digits may be wrong because one character was misread.
 *
 * This is no level of {@link TrustLevel}: two sources that agree may each be below `reliable`.
 */
export const isCorroborated = (fields: DocumentFields, name: FieldName): boolean => {
  const sources = fields.values[name]?.sources ?? [];
  return sources.length > 1 || (sources.includes("mrz") && isMrzAccepted(fields));
};

/**
 * Whether an accepted MRZ or a barcode has the birth date, or the year where no date was read. Print alone
 * may be misread.
 *
 * Not {@link isCorroborated}: here one barcode is enough, and an MRZ that is not accepted never is, even
 * where print agrees. Merging the two would change who is declined for age.
 */
export const isBirthDigital = (fields: DocumentFields): boolean => {
  const sources = fields.values.dateOfBirth?.sources ?? fields.values.yearOfBirth?.sources ?? [];
  return (sources.includes("mrz") && isMrzAccepted(fields)) || sources.includes("barcode");
};
