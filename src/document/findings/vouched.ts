import type { FieldName } from "../field-name.ts";
import type { DocumentFields } from "../fields.ts";

/**
 * Whether a value may turn somebody away: it stands in a zone whose reading was accepted, or two sources say it. A clear
 * zone alone, whose digits may be wrong because a character was misread, is shown but exact for nobody.
 */
export const isVouched = ({ values, mrz }: DocumentFields, name: FieldName): boolean => {
  const sources = values[name]?.sources ?? [];
  return sources.length > 1 || (sources.includes("mrz") && mrz?.sighting.accepted === true);
};
