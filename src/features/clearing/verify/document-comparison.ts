import { isGroup, type Json, type JsonGroup } from "#contract/json";
import type { PortraitComparison } from "#judging/face/compare-portrait";
import { countableRateOf } from "#judging/face/countable-rate";
import type { TransactionRecord } from "#record/transactions/record";

/** The comparison of a document's portrait with the selfie of the identity call, and under what it was. */
export type DocumentComparison = Pick<TransactionRecord, "policyVersion" | "models"> & {
  readonly measurements: JsonGroup;
};

/** The weakest of several comparisons: one without a countable rate, or else that of the highest rate. */
export const weakestOf = (compared: readonly PortraitComparison[]): DocumentComparison | undefined =>
  compared
    .map(({ record, policyVersion, models }) => ({
      measurements: { comparison: (isGroup(record) ? record["comparison"] : undefined) ?? null },
      policyVersion,
      models,
    }))
    .toSorted((one, other) => weaknessOf(other) - weaknessOf(one))[0];

const weaknessOf = (comparison: DocumentComparison): number => countableRateOf(comparison) ?? 1;

/** The measurements of a token's record, with the comparison where there was one. */
export const withComparison = (measurements: Json, comparison: DocumentComparison | undefined): Json => {
  if (comparison === undefined) return measurements;
  const { policyVersion, measurements: numbers } = comparison;
  return { ...(isGroup(measurements) && measurements), documentComparison: { policyVersion, ...numbers } };
};

/** The comparison in the record of a token; undefined where it has none, or keeps none any more. */
export const documentComparisonIn = ({
  measurements,
  models,
}: Pick<TransactionRecord, "measurements" | "models">): DocumentComparison | undefined => {
  const found = isGroup(measurements) ? measurements["documentComparison"] : undefined;
  if (!isGroup(found)) return undefined;
  const { policyVersion, ...numbers } = found;
  return typeof policyVersion === "string" ? { measurements: numbers, policyVersion, models } : undefined;
};
