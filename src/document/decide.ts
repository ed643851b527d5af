import { holderReasons } from "#contract/reason-code";
import type { Json } from "#storage/store";
import { describeAttack, type FusedAttack } from "./attacks/fusion.ts";
import type { ExtractedDocument } from "./extract-document.ts";
import type { DocumentFields } from "./fields.ts";
import type { DocumentCase, Finding } from "./finding.ts";
import { findAll } from "./findings/all-questions.ts";
import { attackOf } from "./findings/attacks.ts";
import type { DocumentHistory } from "./history.ts";
import { type DocumentDecision, judgeDocument } from "./judge.ts";
import type { DocumentPolicy } from "./policy.ts";
import type { DocumentReading } from "./reading.ts";

/** A reading with all that follows from it under a policy. */
export type DecidedDocument = {
  readonly fields: DocumentFields;
  readonly findings: readonly Finding[];
  /** What the traces of attacks and the contradictions say together; without traces, the contradictions alone. */
  readonly attack: FusedAttack;
  readonly decision: DocumentDecision;
};

/** Pure: the same reading with its fields, declaration, moment, policy, history and attempt give the same decision. */
export const decideDocument = (
  { reading, fields }: ExtractedDocument,
  declared: DocumentCase["declared"],
  now: Date,
  policy: DocumentPolicy,
  history: DocumentHistory = {},
  attempt = 1,
): DecidedDocument => {
  const document = { reading, fields, history, declared, now, policy };
  const findings = findAll(document);
  return {
    fields,
    findings,
    attack: attackOf(document, findings),
    decision: judgeDocument(findings, policy, attempt),
  };
};

/**
 * What is kept of a reading beside its decision, unsealed: sizes, scores, and the names and answers of findings. Nothing
 * that the document says of its holder: no text of any evidence is kept, and of the zone only its format. Of the traces of
 * attacks their reasons are kept with them, for the operator.
 */
export const measurementsOf = (
  reading: DocumentReading,
  findings: readonly Finding[],
  searches: Json = [],
  attack?: FusedAttack,
): Json => ({
  searches,
  attack: attack === undefined ? null : describeAttack(attack),
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
    // How old a holder is, even by a yes or no, is the holder's own; so is the name on a list.
    ...(stage === "age" || holderReasons.includes(code)
      ? {}
      : { holds, code, evidence: numbersOf(evidence) }),
  })),
});

const numbersOf = (evidence: Finding["evidence"]): Json =>
  Object.fromEntries(Object.entries(evidence).filter(([, value]) => typeof value !== "string"));
