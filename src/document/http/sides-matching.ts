import type { DocumentFields } from "../decision/fields.ts";
import type { FieldReading } from "../decision/sources/field-reading.ts";
import { isSameValue } from "../decision/sources/same-value.ts";
import { reportedConfidenceMin } from "../decision/verification-record.ts";
import { type FieldName, fieldNames } from "../values/field-name.ts";

/**
 * Fields that both sides have (`compared`), and those in which they agree (`matching`). Empty where only one
 * side has data: a field that cannot be compared is no mismatch. An MRZ that is not accepted and unreliable
 * readings are left out.
 */
export const sidesMatching = (
  fields: DocumentFields,
): { readonly compared: readonly FieldName[]; readonly matching: readonly FieldName[] } => {
  const seen = (name: FieldName, side: "front" | "back"): readonly FieldReading[] =>
    (fields.values[name]?.readings ?? []).filter(
      (reading) => reading.side === side && isComparable(fields, reading),
    );
  const compared = fieldNames.filter(
    (name) => name !== "yearOfBirth" && seen(name, "front").length > 0 && seen(name, "back").length > 0,
  );
  const matching = compared.filter((name) =>
    seen(name, "front").every((one) => seen(name, "back").every((other) => isSameValue(one, other))),
  );
  return { compared, matching };
};

const isComparable = ({ mrz }: DocumentFields, { source, confidence, isUnsettled }: FieldReading): boolean =>
  isUnsettled !== true &&
  confidence >= reportedConfidenceMin &&
  (source !== "mrz" || mrz?.summary.accepted === true);
