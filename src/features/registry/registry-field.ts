import { registryFields } from "#contract/civil-code";
import { isCountryCode } from "#contract/country";
import type { RegistryField } from "./registry.ts";

/** Whether a text names a field. */
export const isRegistryField = (name: string): name is RegistryField =>
  registryFields.some((field) => field === name);

/** Fields that hold a calendar date. */
export const dateFields = [
  "dateOfBirth",
  "issueDate",
  "expiryDate",
] as const satisfies readonly RegistryField[];

export type DateField = (typeof dateFields)[number];

export const isDateField = (field: RegistryField): field is DateField =>
  dateFields.some((date) => date === field);

/** Dates that lie in the past for every person. */
const pastFields: readonly RegistryField[] = ["dateOfBirth", "issueDate"];
const dayMs = 86_400_000;

/**
 * Whether a date that lies in the past for every person, as `YYYY-MM-DD`, lies in the future. The day of the
 * registry may have begun.
 */
export const liesInFuture = (field: RegistryField, date: string, now: Date): boolean =>
  pastFields.includes(field) && date > new Date(now.getTime() + dayMs).toISOString().slice(0, 10);

/** The longest value: an address on one line. Links have their own bound. */
const textLengthMax = 500;
export const linkLengthMax = 2_000;

/** The most characters of a value. */
export const lengthMaxOf = (field: RegistryField | "photo"): number =>
  field === "photoUrl" || field === "signatureUrl" ? linkLengthMax : textLengthMax;

/**
 * What is wrong with the word of a sex or a country; undefined for one in the form of this service, and for
 * other fields.
 */
export const wordFault = (
  field: RegistryField,
  text: string,
): "gender-wrong" | "country-wrong" | undefined => {
  if (field === "gender") return ["M", "F", "X"].includes(text) ? undefined : "gender-wrong";
  const isCountry = field === "nationality" || field === "country";
  return isCountry && !isCountryCode(text) ? "country-wrong" : undefined;
};
