import { compareNameFields } from "../../values/comparison/compare-names.ts";
import { areSameLetters, couldBeOneLetter, partsOf } from "../../values/comparison/letters.ts";
import type { FieldName } from "../../values/field-name.ts";
import type { DocumentFields } from "../fields.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import type { Contradiction } from "../sources/merge.ts";
import { compareReadings, exceedsMrz } from "../sources/same-value.ts";
import { isReliable } from "../trust-level.ts";
import { isIdentifying, isName, isOfHolder, isReliablyDifferent, isSameWholeName } from "./contradiction.ts";

/** A printed value that differs from a reliable value of MRZ or barcode. */
type Difference = {
  readonly field: FieldName;
  readonly print: FieldReading;
  readonly digital: FieldReading;
  readonly of: Contradiction;
};

/**
 * The fields whose print differs from MRZ or barcode, and shows no contradiction. Another value that was read
 * poorly is one, and so is a name that goes beyond its MRZ. Misread letters count together over the document:
 * a single one is none. A single digit of a date that was read reliably is one.
 */
export const unclearPrint = (fields: DocumentFields): readonly FieldName[] => {
  const differences = differencesIn(fields);
  const unclear = differences.filter(
    (one) => isPoorlyRead(fields, one) || exceedsMrz(one.print, one.digital),
  );
  const slips = differences.filter((one) => isSlip(fields, one));
  const counted = slips.filter(({ field }) => isDate(field) || countSlips(slips) > slipsMax);
  return [...new Set([...unclear, ...counted].map(({ field }) => field))];
};

/** Below it, a reading is of other print, or of none. Chosen. */
const unclearConfidenceMin = 0.6;

/** Readers misread one letter of a genuine document, and rarely two that they are sure of. Chosen. */
const slipsMax = 1;

const differencesIn = (fields: DocumentFields): readonly Difference[] =>
  fields.contradictions.flatMap((of): readonly Difference[] => {
    const print = of.between.find(({ source }) => source === "print");
    const digital = of.between.find(({ source }) => source !== "print");
    const isOne =
      print !== undefined &&
      digital !== undefined &&
      print.isUnsettled !== true &&
      print.isUnconfirmed !== true &&
      print.confidence >= unclearConfidenceMin &&
      isReliable(fields, digital) &&
      isIdentifying(of.field) &&
      !isSameWholeName(fields, print, digital);
    return isOne ? [{ field: of.field, print, digital, of }] : [];
  });

const isPoorlyRead = (fields: DocumentFields, { print, digital, of }: Difference): boolean =>
  !isReliable(fields, print) && isOfHolder(of) && compareReadings(print, digital) === "differs";

/** Single letters or digits differ, of print that was read reliably. */
const isSlip = (fields: DocumentFields, { field, print, digital, of }: Difference): boolean =>
  isReliable(fields, print) &&
  !isReliablyDifferent(fields, of) &&
  compareReadings(print, digital) === "unsure" &&
  (!isName(field) || isMisspelt(print.value, digital.value));

const isMisspelt = (one: string, other: string): boolean => {
  const { reason } = compareNameFields(one, other);
  return reason === "one-character" || reason === "look-alikes";
};

const isDate = (field: FieldName): boolean => field.startsWith("dateOf");

/** Numbers, dates and parts of names with a letter that differs: each field once, by its worst pair. */
const countSlips = (slips: readonly Difference[]): number => {
  const fields = [...new Set(slips.map(({ field }) => field))];
  return fields
    .map((field) => Math.max(...slips.filter((one) => one.field === field).map(slipsIn)))
    .reduce((sum, count) => sum + count, 0);
};

const slipsIn = ({ field, print, digital }: Difference): number => {
  if (!isName(field)) return 1;
  const parts = partsOf(digital.value);
  return partsOf(print.value).filter((part) => !parts.some((other) => isOneSpelling(part, other))).length;
};

const isOneSpelling = (part: string, other: string): boolean =>
  areSameLetters(part, other) || couldBeOneLetter(part, other);
