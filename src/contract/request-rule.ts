import { base64Fault } from "./base64.ts";
import { isCountryCode } from "./country.ts";
import type { UncheckedFields } from "./endpoint.ts";
import { missing, type RequestFault, wrong } from "./request.ts";
import { validationCode } from "./validation-code.ts";

/** Whether a field was given: an empty text counts as absent, as integrators' form libraries send it. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== "";

/** A fault when `holds` and the field is absent; `when` ends the sentence. */
export const requiredWhen = (
  fields: UncheckedFields,
  holds: boolean,
  field: string,
  when: string,
): readonly RequestFault[] =>
  holds && !isGiven(fields[field]) ? [missing(field, `is required ${when}`)] : [];

/** A fault when the field has the shape of a country code that no table knows. */
export const knownCountry = (fields: UncheckedFields, field: string): readonly RequestFault[] => {
  const value = fields[field];
  const hasShape = typeof value === "string" && /^[A-Z]{3}$/.test(value);
  if (!hasShape || isCountryCode(value)) return [];
  return [wrong(field, "is no ISO 3166-1 alpha-3 code", validationCode.documentCountryUnsupported.code)];
};

/**
 * A fault when `tracking.extraData` is no Base64. The token itself is not opened: nothing of this release reads it,
 * and a capture whose tracking is lost should still be judged.
 */
export const trackingFaults = (fields: UncheckedFields): readonly RequestFault[] => {
  const tracking = fields["tracking"];
  const hasData = typeof tracking === "object" && tracking !== null && "extraData" in tracking;
  if (!hasData || typeof tracking.extraData !== "string" || tracking.extraData === "") return [];
  const fault = base64Fault(tracking.extraData);
  return fault === undefined ? [] : [wrong("tracking.extraData", fault.message, fault.code)];
};
