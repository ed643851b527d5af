/** Values of an answer, in the form that this service states them. Pure. */
import { isCalendarDate } from "#contract/calendar-date";
import { readPointer } from "../json-pointer.ts";
import type { RegistryField } from "../registry.ts";
import { isDateField, lengthMaxOf, liesInFuture, linkLengthMax, wordFault } from "../registry-field.ts";
import type { DateFormat, FieldRule } from "../settings/settings.ts";
import { RegistryFault } from "./fault.ts";

/** A fault of one value. It names the field, never the value. */
const refuse = (field: string, fault: string): RegistryFault =>
  new RegistryFault(`${field} ${fault}`, { isAboutPerson: true });

/** Format characters, which can disguise a text, go; control characters and blanks become one blank each. */
export const plainText = (text: string): string =>
  text
    .replaceAll(/\p{Cf}/gu, "")
    .replaceAll(/[\p{Cc}\s]+/gu, " ")
    .trim();

/** A text or a whole number as text; undefined where the registry has no value. */
const readScalar = (field: string, value: unknown): string | undefined => {
  if (value === undefined || value === null) return undefined;
  if (typeof value === "number" && Number.isSafeInteger(value)) return String(value);
  if (typeof value === "boolean") return String(value);
  if (typeof value !== "string") throw refuse(field, "is neither a text nor a whole number");
  if (value.length > linkLengthMax) throw refuse(field, "is too long");
  if (!value.isWellFormed()) throw refuse(field, "is not valid Unicode");
  const text = plainText(value);
  return text === "" ? undefined : text;
};

const dateForms: Readonly<Record<DateFormat, RegExp>> = {
  "YYYY-MM-DD": /^(?<y>\d{4})-(?<m>\d{2})-(?<d>\d{2})$/,
  "DD/MM/YYYY": /^(?<d>\d{1,2})\/(?<m>\d{1,2})\/(?<y>\d{4})$/,
  "DD-MM-YYYY": /^(?<d>\d{1,2})-(?<m>\d{1,2})-(?<y>\d{4})$/,
  DDMMYYYY: /^(?<d>\d{2})(?<m>\d{2})(?<y>\d{4})$/,
  YYYYMMDD: /^(?<y>\d{4})(?<m>\d{2})(?<d>\d{2})$/,
  // ISO 8601. The calendar date counts as it is written, whatever the time zone: it is a date and no moment.
  ISO: /^(?<y>\d{4})-(?<m>\d{2})-(?<d>\d{2})(?:[T ]\d{2}:\d{2}(?::\d{2}(?:[.,]\d{1,9})?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/,
};

/** YYYY-MM-DD; undefined for a text of another form, and for a day that does not exist. */
export const readDate = (text: string, format: DateFormat): string | undefined => {
  const { y = "", m = "", d = "" } = dateForms[format].exec(text)?.groups ?? {};
  const date = `${y}-${m.padStart(2, "0")}-${d.padStart(2, "0")}`;
  return isCalendarDate(date) ? date : undefined;
};

const dateOf = (field: RegistryField, text: string, format: DateFormat, now: Date): string => {
  const date = readDate(text, format);
  if (date === undefined) throw refuse(field, `is no date of the form ${format}`);
  if (liesInFuture(field, date, now)) throw refuse(field, "lies in the future");
  return date;
};

const judgeForm = (field: RegistryField, text: string): string => {
  if (text.length > lengthMaxOf(field)) throw refuse(field, "is too long");
  const fault = wordFault(field, text);
  if (fault === undefined) return text;
  const form = fault === "gender-wrong" ? "M, F or X" : "a country code of three letters";
  throw refuse(field, `is a word that the settings do not translate to ${form}`);
};

/**
 * The value of a field; undefined where the registry has none. Throws RegistryFault for a value of another
 * form.
 */
export const readField = (
  answer: unknown,
  field: RegistryField,
  { from, format = "YYYY-MM-DD", values = {} }: FieldRule,
  now: Date,
): string | undefined => {
  const text = from
    .map((pointer) => readScalar(field, readPointer(answer, pointer)))
    .filter((part) => part !== undefined)
    .join(" ");
  const value = Object.hasOwn(values, text) ? (values[text] ?? "") : text;
  if (value === "") return undefined;
  return isDateField(field) ? dateOf(field, value, format, now) : judgeForm(field, value);
};
