import type { Json } from "#contract/json";
import type { PortraitEvidence } from "#contract/portrait-evidence";
import { holderReasons } from "#contract/reason-code";
import type { DocumentReading } from "../reading/reading.ts";
import { describeAttack, type FusedAttack } from "./attacks/fusion.ts";
import type { ExtractedDocument } from "./extracted-document.ts";
import type { DocumentFields } from "./fields.ts";
import type { DocumentCase, Finding } from "./finding.ts";
import { findAll } from "./findings/all-rules.ts";
import { attackOf } from "./findings/attacks.ts";
import type { DocumentHistory } from "./history/history.ts";
import { type DocumentDecision, judgeDocument } from "./judge.ts";
import type { DocumentPolicy } from "./policy.ts";
import { portraitEvidenceOf } from "./portrait-evidence.ts";

/** A reading with its findings and its decision under a policy. */
export type DecidedDocument = {
  readonly fields: DocumentFields;
  readonly findings: readonly Finding[];
  /** The traces of attacks fused with the contradictions; without traces, the contradictions alone. */
  readonly attack: FusedAttack;
  readonly decision: DocumentDecision;
  readonly portraitEvidence: PortraitEvidence;
};

/**
 * Decides a document. Made by {@link decideDocument}; for test keys also by `steerDecision`
 * (sandbox/personas).
 */
export type DecideDocument = typeof decideDocument;

/**
 * Pure: the same reading with its fields, declaration, moment, policy, history and attempt give the same
 * decision.
 *
 * @example
 * ```ts
 * import { decideDocument } from "#judging/document/decision/decide";
 * import type { ExtractedDocument } from "#judging/document/decision/extracted-document";
 * import { defaultDocumentPolicy } from "#judging/document/decision/policy";
 *
 * // The decision of a document that the reader has read and that the caller declared as a passport of Peru.
 * export const decidePassport = (extracted: ExtractedDocument) => {
 *   const declared = { country: "PER", type: "PASSPORT" } as const;
 *   return decideDocument(extracted, declared, new Date(), defaultDocumentPolicy).decision;
 * };
 * ```
 */
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
  const attack = attackOf(document, findings);
  return {
    fields,
    findings,
    attack,
    decision: judgeDocument(findings, policy, attempt),
    portraitEvidence: portraitEvidenceOf(attack.cues, findings),
  };
};

/**
 * The measurements that are stored unsealed beside a decision: sizes, scores, and the names and results of
 * findings. They have no personal data: no text of any evidence, and of the MRZ only its format. The traces
 * of attacks keep their reasons, for the operator.
 */
export const measurementsOf = (
  reading: DocumentReading,
  findings: readonly Finding[],
  searches: Json = [],
  attack?: FusedAttack,
): Json => ({
  searches,
  ...(reading.persona !== undefined && { persona: reading.persona }),
  attack: attack === undefined ? null : describeAttack(attack),
  ...(attack && { portraitEvidence: portraitEvidenceOf(attack.cues, findings) }),
  swapped: reading.swapped,
  ms: reading.ms,
  sides: [reading.front, ...(reading.back === undefined ? [] : [reading.back])].map(
    ({ quality, card, rotations, rotationKnownBy, mrz, barcodes, faces }) => ({
      quality: { ...quality },
      card: card === undefined ? null : { ...card },
      // These keys are stored: earlier releases wrote them.
      turns: rotations,
      turnKnownBy: rotationKnownBy,
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
    // The holder's age is personal data, even as a yes or no; so is a name on a list.
    ...(stage === "age" || holderReasons.includes(code)
      ? {}
      : { holds, code, evidence: numbersOf(evidence) }),
  })),
});

const numbersOf = (evidence: Finding["evidence"]): Json =>
  Object.fromEntries(Object.entries(evidence).filter(([, value]) => typeof value !== "string"));
