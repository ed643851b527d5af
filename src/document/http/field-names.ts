import type { FieldName } from "../fields.ts";

/** Names of the fields in the grouped OCR object. */
export const groupedNames = {
  documentNumber: "DOCUMENT_NUMBER",
  lastName: "LAST_NAME",
  firstName: "FIRST_NAME",
  dateOfBirth: "DATE_OF_BIRTH",
  yearOfBirth: "YEAR_OF_BIRTH",
  sex: "GENDER",
  nationality: "NATIONALITY",
  issuer: "ISSUER",
  dateOfExpiry: "DATE_OF_EXPIRY",
  dateOfIssue: "DATE_OF_ISSUE",
} as const satisfies { readonly [name in Exclude<FieldName, "personalNumber">]: string };

export type GroupedField = keyof typeof groupedNames;

/** Every grouped field in a fixed order. */
export const groupedFields: readonly GroupedField[] = [
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
