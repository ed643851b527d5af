import type { Json } from "#storage/store";
import { collectFields, type DocumentFields } from "./fields.ts";
import type { DocumentCase, Finding } from "./finding.ts";
import { findAll } from "./findings/all-questions.ts";
import type { DocumentHistory } from "./history.ts";
import { type DocumentDecision, judgeDocument } from "./judge.ts";
import type { DocumentPolicy } from "./policy.ts";
import type { DocumentReading } from "./reading.ts";

/** A reading with all that follows from it under a policy. */
export type DecidedDocument = {
  readonly fields: DocumentFields;
  readonly findings: readonly Finding[];
  readonly decision: DocumentDecision;
};

/** Pure: the same reading, declaration, moment, policy, history and number of the attempt give the same decision. */
export const decideDocument = (
  reading: DocumentReading,
  declared: DocumentCase["declared"],
  now: Date,
  policy: DocumentPolicy,
  history: DocumentHistory = {},
  attempt = 1,
): DecidedDocument => {
  const fields = collectFields(reading, now);
  const findings = findAll({ reading, fields, history, declared, now, policy });
  return { fields, findings, decision: judgeDocument(findings, policy, attempt) };
};

/**
 * What is kept of a reading beside its decision, unsealed: sizes, scores, and the names and answers of findings. Nothing
 * that the document says of its holder: no text of any evidence is kept, and of the zone only its format.
 */
export const measurementsOf = (
  reading: DocumentReading,
  findings: readonly Finding[],
  searches: Json = [],
): Json => ({
  searches,
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
        // The layout would name the issuing state.
        recognised: layout !== undefined,
        reads,
      })),
      faces,
    }),
  ),
  findings: findings.map(({ name, stage, holds, code, evidence }) => ({
    name,
    // How old a holder is, even by a yes or no, is the holder's own.
    ...(stage === "age" ? {} : { holds, code, evidence: numbersOf(evidence) }),
  })),
});

const numbersOf = (evidence: Finding["evidence"]): Json =>
  Object.fromEntries(Object.entries(evidence).filter(([, value]) => typeof value !== "string"));
