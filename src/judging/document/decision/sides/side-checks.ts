import { type FieldName, fieldNames } from "../../values/field-name.ts";
import type { DocumentFields } from "../fields.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import { isSameValue } from "../sources/same-value.ts";
import { reportedConfidenceMin } from "../verification-record.ts";
import { sideContradictions } from "./contradiction.ts";

/** Whether front and back have the same value of a field. A field that is absent cannot be compared. */
export type SideChecks = ReadonlyMap<FieldName, boolean>;

/**
 * Compares the sides. `false` where both values are reliable and differ, which no approval goes with
 * (`findings/sources-agree.ts`); `true` where all are the same. Absent where a side has no value, and where a
 * value may be misread: that is no mismatch.
 */
export const sideChecks = (fields: DocumentFields): SideChecks => {
  const different = new Set(sideContradictions(fields).map(({ field }) => field));
  return new Map(
    fieldNames
      .filter((name) => name !== "yearOfBirth")
      .flatMap((name): readonly (readonly [FieldName, boolean])[] => {
        if (different.has(name)) return [[name, false]];
        return isSameOnBoth(fields, name) ? [[name, true]] : [];
      }),
  );
};

const isSameOnBoth = (fields: DocumentFields, name: FieldName): boolean => {
  const [front, back] = (["front", "back"] as const).map((side) =>
    (fields.values[name]?.readings ?? []).filter(
      (reading) => reading.side === side && isComparable(fields, reading),
    ),
  );
  return (
    front !== undefined &&
    back !== undefined &&
    front.length > 0 &&
    back.length > 0 &&
    front.every((one) => back.every((other) => isSameValue(one, other)))
  );
};

/** An MRZ that is not accepted and unreliable readings are left out. */
const isComparable = ({ mrz }: DocumentFields, { source, confidence, isUnsettled }: FieldReading): boolean =>
  isUnsettled !== true &&
  confidence >= reportedConfidenceMin &&
  (source !== "mrz" || mrz?.summary.accepted === true);
