import { type FieldName, fieldNames } from "../field-name.ts";
import type { DocumentFields } from "../fields.ts";
import { fold } from "../text/fold.ts";

/** A name in capitals, its words joined by a low line: documentNumber is DOCUMENT_NUMBER. */
export const inCapitals = (name: string): string =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter}`).toUpperCase();

/** Name of a field in the grouped OCR object: DOCUMENT_NUMBER, LAST_NAME, GENDER … */
export const groupedName = (name: FieldName): string => (name === "sex" ? "GENDER" : inCapitals(name));

/** Fields that every document is asked for, in their order. */
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

/** Fields that a document of this model may tell: the common ones and those that its model prints or its sources told. */
export const fieldsAskedFor = ({ readBy, values }: DocumentFields): readonly FieldName[] =>
  fieldNames.filter(
    (name) =>
      common.includes(name) ||
      values[name] !== undefined ||
      readBy?.fields.some((field) => field.name === name) === true,
  );

/** Key of a printed label: capitals without marks, words joined by a low line. */
export const labelKey = (label: string): string =>
  fold(label)
    .replaceAll(/[^A-Z0-9]+/g, "_")
    .replaceAll(/^_+|_+$/g, "");
