import type { FieldName } from "../field-name.ts";
import type { DocumentFields } from "../fields.ts";
import type { Finding, Question } from "../finding.ts";
import type { FindingName } from "../finding-names.ts";
import type { Contradiction } from "../sources/merge.ts";
import { compareSightings, isSameValue } from "../sources/same-value.ts";
import type { FieldSource } from "../sources/sighting.ts";
import { finding } from "./answer.ts";
import { isBelieved, isReadSurely } from "./believed.ts";
import { placeOf, strengthOfCheck } from "./model-checks.ts";

/** Without a model: fields of which two readings that differ speak of the document. */
const telling: readonly FieldName[] = ["documentNumber", "dateOfBirth", "dateOfExpiry"];

/**
 * Do zone, symbol and print say the same (507)? Which differences speak, and how strongly, the document's model says; without
 * one zone and symbol alone are compared. A pair that differs is for a person. It turns away where two sources say one
 * thing, the third another, and the model's fact is sure enough.
 */
export const askSourcesAgree: Question = ({ fields }) => [
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
    evidence: { isAcrossSides: outvoted.some(isAcrossSides) },
  });
};

const isAcrossSides = ({ between: [a, b] }: Contradiction): boolean => a.side !== b.side;

const pairs = [
  ["barcode-contradicts-zone", "mrz", "barcode", "barcode"],
  ["print-contradicts-zone", "mrz", "print", "print"],
  ["print-contradicts-barcode", "barcode", "print", "print"],
  ["sides-contradict", "print", "print", "print"],
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
      isSure(fields, contradiction) &&
      strengthOf(fields, contradiction) !== "warning",
  );
  const isCertain =
    isModelSettled(fields) &&
    differing.some((contradiction) => strengthOf(fields, contradiction) === "exact");
  const isOfDigitalSources = fields.readBy === undefined && !between.includes("print");
  return finding({
    name,
    stage: "contradiction",
    code: 507,
    consequence: "review",
    source,
    holds: isComparable(fields, between) ? differing.length > 0 : "unknown",
    // Rests on what is unconfirmed of this card, or on a model that is not settled: never one of two signs of fraud.
    ...(isCertain || isOfDigitalSources ? {} : { isHint: true as const }),
    evidence: {
      fields: [...new Set(differing.map(({ field }) => field))].join(" "),
      isAcrossSides: differing.some(isAcrossSides),
    },
  });
};

/** A model for every country is told by the zone's format alone. */
const isModelSettled = ({ model, readBy }: DocumentFields): boolean =>
  model !== undefined || readBy?.country === "*";

const isBetween = ({ between: [a, b] }: Contradiction, [one, other]: readonly [FieldSource, FieldSource]) =>
  (a.source === one && b.source === other) || (a.source === other && b.source === one);

/** Both were read surely, and differ in more than a reader's slip or were read without one. */
const isSure = (fields: DocumentFields, { between: [a, b] }: Contradiction): boolean =>
  isBelieved(fields, a) &&
  isBelieved(fields, b) &&
  (compareSightings(a, b) === "differs" || (isReadSurely(a) && isReadSurely(b)));

const isComparable = (fields: DocumentFields, [one, other]: readonly [FieldSource, FieldSource]): boolean =>
  Object.values(fields.values).some(({ sightings }) => {
    const believed = sightings.filter((sighting) => isBelieved(fields, sighting));
    const first = believed.find(({ source }) => source === one);
    return (
      believed.some((sighting) => sighting !== first && sighting.source === other) && first !== undefined
    );
  });

const hasThree = (fields: DocumentFields): boolean =>
  Object.values(fields.values).some(({ sightings }) => {
    const believed = sightings.filter((sighting) => isBelieved(fields, sighting));
    return new Set(believed.map(({ source }) => source)).size >= 3;
  });

/** As the model's check has it; what no check names is a warning. */
const strengthOf = (
  { readBy }: DocumentFields,
  { field, between: [a, b] }: Contradiction,
): "exact" | "fuzzy" | "warning" => {
  const check = readBy?.checks.find(
    ({ rule, of }) => rule === "same" && of.includes(placeOf(a)) && of.includes(placeOf(b)),
  );
  if (check === undefined) {
    const isDigital = a.source !== "print" && b.source !== "print";
    return isDigital && telling.includes(field) ? "fuzzy" : "warning";
  }
  return strengthOfCheck(check);
};

/** Two sources that are read surely say one thing, another one says something else. */
const isOutvoted = (fields: DocumentFields, contradiction: Contradiction): boolean => {
  const { field, between } = contradiction;
  const believed = (fields.values[field]?.sightings ?? []).filter(
    (sighting) => sighting.isUnsettled !== true && isBelieved(fields, sighting),
  );
  return (
    isSure(fields, contradiction) &&
    // Nobody is turned away for what a reader's slip would explain.
    (!between.some(({ source }) => source === "print") || compareSightings(...between) === "differs") &&
    strengthOf(fields, contradiction) === "exact" &&
    between.some((one) =>
      believed.some(
        (third) => between.every(({ source }) => source !== third.source) && isSameValue(one, third),
      ),
    )
  );
};
