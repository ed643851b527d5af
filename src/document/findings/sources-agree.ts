import type { FieldName } from "../field-name.ts";
import type { Question } from "../finding.ts";
import { finding } from "./answer.ts";

/** Fields of which two readings that differ speak of the document; names may differ by transliteration. */
const telling: readonly FieldName[] = ["documentNumber", "dateOfBirth", "dateOfExpiry"];

/** Do barcode and zone say the same (507)? Only where both vouch for what they say. */
export const askSourcesAgree: Question = ({ fields }) => {
  const isComparable = fields.mrz?.sighting.accepted === true && fields.licence !== undefined;
  const differing = fields.contradictions.map(({ field }) => field);
  const isTelling = differing.some((field) => telling.includes(field));
  return [
    finding({
      name: "barcode-contradicts-zone",
      stage: "contradiction",
      code: 507,
      consequence: "review",
      source: "barcode",
      holds: isComparable ? isTelling : "unknown",
      evidence: { fields: differing.join(" ") },
    }),
  ];
};
