import type { DocumentFields } from "../fields.ts";
import { type GroupedField, groupedFields } from "./field-names.ts";

/**
 * Fields that both sides told, and those in which they agree. Empty while one side alone speaks: what cannot be
 * compared is no mismatch.
 */
export const sidesMatching = (
  fields: DocumentFields,
): { readonly compared: readonly GroupedField[]; readonly matching: readonly GroupedField[] } => {
  const { mrz, licence } = fields;
  if (mrz === undefined || licence === undefined || mrz.side === licence.side || !mrz.sighting.accepted) {
    return { compared: [], matching: [] };
  }
  const differing = fields.contradictions.map(({ field }) => field);
  const matching = groupedFields.filter((name) => fields.values[name]?.sources.length === 2);
  const compared = groupedFields.filter((name) => matching.includes(name) || differing.includes(name));
  return { compared, matching };
};
