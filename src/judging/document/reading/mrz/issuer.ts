import { isCountryCode } from "#contract/country";

/** Alpha-3 code of a three-character field. Germany writes `D<<` (ICAO Doc 9303-3, section 5, part A). */
export const alpha3Of = (field: string): string => {
  const code = field.replace(/<+$/, "");
  return code === "D" ? "DEU" : code;
};

/** Whether a three-character field is an issuer or nationality code of ISO 3166-1 or ICAO Doc 9303. */
export const isKnownState = (field: string): boolean => isCountryCode(alpha3Of(field));
