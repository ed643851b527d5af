import { type FieldName, fieldNames } from "../field-name.ts";
import type { DocumentFields } from "../fields.ts";
import { isSameValue } from "../sources/same-value.ts";
import type { Sighting } from "../sources/sighting.ts";
import { sureFrom } from "../verification-record.ts";

/**
 * Fields that both sides told, and those in which they agree. Empty while one side alone speaks: what cannot be compared is
 * no mismatch. A zone that is not accepted and print that is unsure say nothing here.
 */
export const sidesMatching = (
  fields: DocumentFields,
): { readonly compared: readonly FieldName[]; readonly matching: readonly FieldName[] } => {
  const seen = (name: FieldName, side: "front" | "back"): readonly Sighting[] =>
    (fields.values[name]?.sightings ?? []).filter(
      (sighting) => sighting.side === side && isComparable(fields, sighting),
    );
  const compared = fieldNames.filter(
    (name) => name !== "yearOfBirth" && seen(name, "front").length > 0 && seen(name, "back").length > 0,
  );
  const matching = compared.filter((name) =>
    seen(name, "front").every((one) => seen(name, "back").every((other) => isSameValue(one, other))),
  );
  return { compared, matching };
};

const isComparable = ({ mrz }: DocumentFields, { source, confidence, isUnsettled }: Sighting): boolean =>
  isUnsettled !== true && confidence >= sureFrom && (source !== "mrz" || mrz?.sighting.accepted === true);
