import type { FieldName } from "../../values/field-name.ts";
import type { DocumentFields } from "../fields.ts";
import type { Finding, FindingRule } from "../finding.ts";
import type { FindingName } from "../finding-names.ts";
import { isAcrossSides, isOfIdentity, isOfSides, isReliablyDifferent } from "../sides/contradiction.ts";
import type { FieldSource } from "../sources/field-reading.ts";
import type { Contradiction } from "../sources/merge.ts";
import { compareReadings, isSameValue } from "../sources/same-value.ts";
import { isReliable } from "../trust-level.ts";
import { finding } from "./finding-defaults.ts";
import { placeOf, strengthOfCheck } from "./model-checks.ts";

/** Fields whose differences are evidence without a model. */
const fieldsWithoutModel: readonly FieldName[] = ["documentNumber", "dateOfBirth", "dateOfExpiry"];

/**
 * MRZ, barcode and print contradict each other (507). The document's model states which differences count,
 * and how strongly. Every identifying field counts, whatever the model states: an approval goes with no value
 * that was read reliably in two forms. Between two sides no policy ignores it: the answer of the service has
 * the same difference as a check that is `false`. A pair that differs goes to review. It declines where two
 * sources agree against a third and the provenance of the model's fact may decline.
 */
export const sourcesAgreeRule: FindingRule = ({ fields }) => [
  ...pairs.map(([name, a, b, source]) => pairFinding(fields, name, [a, b], source)),
  outvotedFinding(fields),
];

const outvotedFinding = (fields: DocumentFields): Finding => {
  const outvoted = fields.contradictions.filter((contradiction) => isOutvoted(fields, contradiction));
  return finding({
    name: "source-contradicted-by-two",
    stage: "contradiction",
    code: 507,
    consequence: "decline",
    source: "sources",
    holds: fields.model !== undefined && hasThree(fields) ? outvoted.length > 0 : "unknown",
    evidence: { isAcrossSides: outvoted.some((one) => isAcrossSides(fields, one)) },
  });
};

const pairs = [
  ["barcode-contradicts-zone", "mrz", "barcode", "barcode"],
  ["print-contradicts-zone", "mrz", "print", "print"],
  ["print-contradicts-barcode", "barcode", "print", "print"],
  ["sides-contradict", "print", "print", "print"],
  ["barcodes-contradict", "barcode", "barcode", "barcode"],
] as const satisfies readonly (readonly [FindingName, FieldSource, FieldSource, string])[];

const pairFinding = (
  fields: DocumentFields,
  name: FindingName,
  between: readonly [FieldSource, FieldSource],
  source: string,
): Finding => {
  const differing = fields.contradictions.filter(
    (contradiction) =>
      isBetween(contradiction, between) &&
      isReliablyDifferent(fields, contradiction) &&
      (strengthOf(fields, contradiction) !== "warning" || isOfIdentity(fields, contradiction)),
  );
  const isCertain =
    isModelCertain(fields) &&
    differing.some((contradiction) => strengthOf(fields, contradiction) === "exact");
  const isOfDigitalSources =
    fields.readBy === undefined &&
    !between.includes("print") &&
    differing.every((contradiction) => strengthOf(fields, contradiction) !== "warning");
  return finding({
    name,
    stage: "contradiction",
    code: 507,
    consequence: "review",
    source,
    holds: differing.length > 0 || (isComparable(fields, between) ? false : "unknown"),
    ...(differing.some((contradiction) => isOfSides(fields, contradiction)) && {
      neverIgnored: true as const,
    }),
    // Rests on an unconfirmed fact of this card, or on a model that is not certain: never one of two signs of
    // fraud.
    ...(isCertain || isOfDigitalSources ? {} : { isHint: true as const }),
    evidence: {
      fields: [...new Set(differing.map(({ field }) => field))].join(" "),
      isAcrossSides: differing.some((one) => isAcrossSides(fields, one)),
    },
  });
};

/** A model for every country follows from the MRZ's format alone. */
const isModelCertain = ({ model, readBy }: DocumentFields): boolean =>
  model !== undefined || readBy?.country === "*";

const isBetween = ({ between: [a, b] }: Contradiction, [one, other]: readonly [FieldSource, FieldSource]) =>
  (a.source === one && b.source === other) || (a.source === other && b.source === one);

const isComparable = (fields: DocumentFields, [one, other]: readonly [FieldSource, FieldSource]): boolean =>
  Object.values(fields.values).some(({ readings }) => {
    const reliable = readings.filter((reading) => isReliable(fields, reading));
    const first = reliable.find(({ source }) => source === one);
    return reliable.some((reading) => reading !== first && reading.source === other) && first !== undefined;
  });

const hasThree = (fields: DocumentFields): boolean =>
  Object.values(fields.values).some(({ readings }) => {
    const reliable = readings.filter((reading) => isReliable(fields, reading));
    return new Set(reliable.map(({ source }) => source)).size >= 3;
  });

/** The strength of the model's check. Without a check it is a warning. */
const strengthOf = (
  { readBy }: DocumentFields,
  { field, between: [a, b] }: Contradiction,
): "exact" | "fuzzy" | "warning" => {
  const check = readBy?.checks.find(
    ({ rule, of }) => rule === "same" && of.includes(placeOf(a)) && of.includes(placeOf(b)),
  );
  if (check === undefined) {
    const isDigital = a.source !== "print" && b.source !== "print";
    return isDigital && fieldsWithoutModel.includes(field) ? "fuzzy" : "warning";
  }
  return strengthOfCheck(check);
};

/** Two reliable sources agree, and a third contradicts them. */
const isOutvoted = (fields: DocumentFields, contradiction: Contradiction): boolean => {
  const { field, between } = contradiction;
  const reliable = (fields.values[field]?.readings ?? []).filter(
    (reading) => reading.isUnsettled !== true && isReliable(fields, reading),
  );
  return (
    isReliablyDifferent(fields, contradiction) &&
    // A misread character must never decline a document.
    (!between.some(({ source }) => source === "print") || compareReadings(...between) === "differs") &&
    strengthOf(fields, contradiction) === "exact" &&
    between.some((one) =>
      reliable.some(
        (third) => between.every(({ source }) => source !== third.source) && isSameValue(one, third),
      ),
    )
  );
};
