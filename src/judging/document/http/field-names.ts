import type { DocumentFields } from "../decision/fields.ts";
import { type FieldName, fieldNames } from "../values/field-name.ts";
import { fold } from "../values/fold.ts";

/** A name in capitals, its words joined by an underscore: documentNumber is DOCUMENT_NUMBER. */
export const inCapitals = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** Name of a field in the grouped OCR object: DOCUMENT_NUMBER, LAST_NAME, GENDER … */
export const groupedName = (name: FieldName): string => (name === "sex" ? "GENDER" : inCapitals(name));

/** Fields that are expected of every document, in order. */
const common: readonly FieldName[] = [
  "documentNumber",
  "lastName",
  "firstName",
  "dateOfBirth",
  "yearOfBirth",
  "sex",
  "nationality",
  "issuer",
  "dateOfExpiry",
  "dateOfIssue",
];

/**
 * Fields that are expected of a document: the common ones, those that its model prints and those that a
 * source has.
 */
export const expectedFields = ({ readBy, values }: DocumentFields): readonly FieldName[] =>
  fieldNames.filter(
    (name) =>
      common.includes(name) ||
      values[name] !== undefined ||
      readBy?.fields.some((field) => field.name === name) === true,
  );

/** Key of a printed label: capitals without diacritics, words joined by an underscore. */
export const labelKey = (label: string): string =>
  fold(label)
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
