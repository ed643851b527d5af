/** The persons of an import, row by row. Pure. */
import { isCalendarDate } from "#contract/calendar-date";
import { registryFields } from "#contract/civil-code";
import { isHandedLink, isLinkField } from "../handed-link.ts";
import type { RegistryField, RegistryPerson } from "../registry.ts";
import { isDateField, isRegistryField, lengthMaxOf, liesInFuture, wordFault } from "../registry-field.ts";

/** Why a row is not imported. */
export type PersonFault =
  | "line-unreadable"
  | "column-unknown"
  | "number-missing"
  | "number-wrong"
  | "value-not-text"
  | "value-too-long"
  | "value-with-control-characters"
  | "date-wrong"
  | "date-in-future"
  | "gender-wrong"
  | "country-wrong"
  | "link-wrong"
  | "photo-missing"
  | "photo-outside"
  | "photo-too-large"
  | "photo-unreadable";

/** A refused row: its fault and the column, never a value. */
export type RefusedRow = { readonly fault: PersonFault; readonly column?: string };

/** A person as a row states it. `photo` names a file. */
export type PersonRow = {
  readonly documentNumber: string;
  readonly fields: RegistryPerson["fields"];
  readonly photo?: string;
};

/** The columns of a list: the fields of a registry, and the file of the photo. */
export const personColumns: readonly string[] = [...registryFields, "photo"];

/** The canonical form of a number of the country; undefined for any other text. */
export type ReadCanonicalNumber = (text: string) => string | undefined;

const formFault = (field: RegistryField, text: string, now: Date): PersonFault | undefined => {
  if (isLinkField(field)) return isHandedLink(text) ? undefined : "link-wrong";
  if (!isDateField(field)) return wordFault(field, text);
  if (!isCalendarDate(text)) return "date-wrong";
  return liesInFuture(field, text, now) ? "date-in-future" : undefined;
};

const valueFault = (column: string, value: unknown, now: Date): PersonFault | undefined => {
  if (!isRegistryField(column) && column !== "photo") return "column-unknown";
  if (typeof value !== "string") return "value-not-text";
  if (value.length > lengthMaxOf(column)) return "value-too-long";
  if (/[\p{Cc}\p{Cf}]/u.test(value) || !value.isWellFormed()) return "value-with-control-characters";
  return isRegistryField(column) && value.trim() !== "" ? formFault(column, value.trim(), now) : undefined;
};

/** Reads a row. A null or an empty cell is no value. */
export const readPerson = (
  cells: Readonly<Record<string, unknown>>,
  readNumber: ReadCanonicalNumber,
  now: Date,
): PersonRow | RefusedRow => {
  const fields: Partial<Record<RegistryField, string>> = {};
  let photo: string | undefined;
  for (const [column, value] of Object.entries(cells)) {
    if (value === null || value === undefined) continue;
    const fault = valueFault(column, value, now);
    if (fault !== undefined || typeof value !== "string") {
      return { fault: fault ?? "value-not-text", ...(fault !== "column-unknown" && { column }) };
    }
    const text = value.trim();
    if (text === "") continue;
    if (isRegistryField(column)) fields[column] = text;
    else photo = text;
  }
  const written = fields.documentNumber;
  if (written === undefined) return { fault: "number-missing", column: "documentNumber" };
  const documentNumber = readNumber(written);
  if (documentNumber === undefined) return { fault: "number-wrong", column: "documentNumber" };
  return { documentNumber, fields: { ...fields, documentNumber }, ...(photo !== undefined && { photo }) };
};
