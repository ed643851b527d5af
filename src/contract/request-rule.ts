import { isCountryCode } from "./country.ts";
import { missing, type RequestFault, type UncheckedFields, wrong } from "./request.ts";
import { validationCode } from "./validation-code.ts";

/** Whether a field was given: an empty text counts as absent, since integrators' form libraries send it. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** A fault when `holds` and the field is absent; `when` ends the sentence. */
export const requiredWhen = (
  fields: UncheckedFields,
  holds: boolean,
  field: string,
  when: string,
): readonly RequestFault[] =>
  holds && !isGiven(fields[field]) ? [missing(field, `is required ${when}`)] : [];

/** A fault when the field has the form of a country code but is in no table. */
export const knownCountry = (fields: UncheckedFields, field: string): readonly RequestFault[] => {
  const value = fields[field];
  const hasShape = typeof value === "string" && /^[A-Z]{3}$/.test(value);
  if (!hasShape || isCountryCode(value)) return [];
  return [wrong(field, "is no ISO 3166-1 alpha-3 code", validationCode.documentCountryUnsupported.code)];
};
