import type { Json } from "#storage/store";
import { collectFields, type DocumentFields } from "./fields.ts";
import type { DocumentCase, Finding } from "./finding.ts";
import { findAll } from "./findings/all-questions.ts";
import { type DocumentDecision, judgeDocument } from "./judge.ts";
import type { DocumentPolicy } from "./policy.ts";
import type { DocumentReading } from "./reading.ts";

/** A reading with all that follows from it under a policy. */
export type DecidedDocument = {
  readonly fields: DocumentFields;
  readonly findings: readonly Finding[];
  readonly decision: DocumentDecision;
};

/** Pure: the same reading, declaration, moment and policy give the same decision. */
export const decideDocument = (
  reading: DocumentReading,
  declared: DocumentCase["declared"],
  now: Date,
  policy: DocumentPolicy,
): DecidedDocument => {
  const fields = collectFields(reading, now);
  const findings = findAll({ reading, fields, declared, now, policy });
  return { fields, findings, decision: judgeDocument(findings, policy) };
};

/** What is kept of a reading beside its decision: sizes, scores and findings, nothing of a person. */
export const measurementsOf = (reading: DocumentReading, findings: readonly Finding[]): Json => ({
  swapped: reading.swapped,
  ms: reading.ms,
  sides: [reading.front, ...(reading.back === undefined ? [] : [reading.back])].map(
    ({ quality, card, turns, turnKnownBy, mrz, barcodes, faces }) => ({
      quality: { ...quality },
      card: card === undefined ? null : { ...card },
      turns,
      turnKnownBy,
      zone:
        mrz === undefined
          ? null
          : { format: mrz.format, accepted: mrz.accepted, weakestMargin: mrz.weakestMargin },
      barcodes: barcodes.map(({ symbology, layout, reads }) => ({
        symbology,
        layout: layout ?? null,
        reads,
      })),
      faces,
    }),
  ),
  findings: findings.map(({ name, holds, code, evidence }) => ({ name, holds, code, evidence })),
});
