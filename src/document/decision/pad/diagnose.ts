import type { PadDecision, PadReason } from "#contract/pad";
import type { DocumentReading } from "../../reading/reading.ts";
import { cueWeights, type DocumentCue } from "../attacks/cue.ts";
import { type FusedAttack, fuseCues } from "../attacks/fusion.ts";
import type { DecidedDocument } from "../decide.ts";
import type { Finding } from "../finding.ts";
import type { DocumentPolicy } from "../policy.ts";
import { doubtsOf, isOfTie, nearestReason, reasonsOfContradictions, reasonsOfTraces } from "./doubt.ts";
import { judgeRequirements, type QualityReport } from "./image-requirements.ts";

/** The comparison of the sent face with the portrait; `unknown` where one of them cannot be compared. */
export type FaceAnswer = "same" | "other" | "unknown";

/** The result of the diagnostic. */
export type PadDiagnosis = {
  readonly decision: PadDecision;
  /** The reasons that were found, strongest first; then the checks that could not be made. */
  readonly reasons: readonly PadReason[];
  readonly quality: QualityReport;
  readonly attack: FusedAttack;
};

/**
 * Decides whether a document is genuine, from the findings of the validation. Pure. A spoof needs traces or
 * contradictions that reach its threshold together. Traces on a poor image are no evidence, so on it only
 * contradictions can make a spoof. Credible where the validation would approve. Doubtful: a trace, an image
 * that does not meet the requirements, a document without readable data or portrait, or with a finding of the
 * validation against it. Every doubt has a reason, or a requirement that an image misses. Error: no check could
 * be made.
 */
export const diagnose = (
  reading: DocumentReading,
  decided: Pick<DecidedDocument, "fields" | "findings" | "attack" | "decision">,
  face: FaceAnswer | undefined,
  policy: DocumentPolicy,
): PadDiagnosis => {
  const { fields, findings, attack } = decided;
  const quality = judgeRequirements(reading, policy);
  const fused = face === undefined ? attack : withFace(attack, face, policy);
  const unprocessed = unprocessedOf(reading, Object.keys(fields.values).length > 0, findings);
  const doubts = doubtsOf(findings);
  const decision = decide(
    { fused, quality, unprocessed, doubts, wouldApprove: isApproved(decided, face) },
    policy,
  );
  const found = [...reasonsOfTraces(fused.cues), ...reasonsOfContradictions(doubts)];
  const isUnnamed = decision === "Doubtful" && quality.passed && found.length === 0 && !doubts.some(isOfTie);
  const nearest = isUnnamed && !isDoubt(unprocessed) ? nearestReason(doubts, fused.cues) : [];
  return {
    decision,
    reasons: [...new Set([...found, ...nearest, ...unprocessed])],
    quality,
    attack: fused,
  };
};

const isApproved = ({ decision }: Pick<DecidedDocument, "decision">, face: FaceAnswer | undefined): boolean =>
  decision.status === "Approved" && face !== "other";

const withFace = (attack: FusedAttack, face: FaceAnswer, { attacks }: DocumentPolicy): FusedAttack => {
  if (face === "unknown") return attack;
  const isOther = face === "other";
  const cue: DocumentCue = {
    name: "other-face",
    on: "document",
    level: isOther ? "strong" : "none",
    weight: isOther ? cueWeights.otherFace : 0,
    evidence: {},
  };
  return fuseCues([...attack.cues, cue], attacks);
};

const decide = (
  {
    fused,
    quality,
    unprocessed,
    doubts,
    wouldApprove,
  }: {
    readonly fused: FusedAttack;
    readonly quality: QualityReport;
    readonly unprocessed: readonly PadReason[];
    readonly doubts: readonly Finding[];
    readonly wouldApprove: boolean;
  },
  { attacks }: DocumentPolicy,
): PadDecision => {
  if (unprocessed.length === 3) return "Error";
  const documentCues = fused.cues.filter(({ on }) => on === "document");
  const { verdict } = quality.passed ? fused : fuseCues(documentCues, attacks);
  if (verdict === "spoof") return "Spoof";
  if (wouldApprove) return "Credible";
  const isDoubtful =
    !quality.passed || fused.verdict !== "credible" || isDoubt(unprocessed) || doubts.length > 0;
  return isDoubtful ? "Doubtful" : "Credible";
};

/** Cards without a second source are genuine too. */
const isDoubt = (unprocessed: readonly PadReason[]): boolean =>
  unprocessed.some((reason) => reason !== "NOT_PROCESSED_DATA_CHECK");

/** Tampered, data cross reference. */
const alteredCode = 507;

const unprocessedOf = (
  { front }: DocumentReading,
  isRead: boolean,
  findings: readonly Finding[],
): readonly PadReason[] => {
  const compared = findings.filter(({ code, holds }) => code === alteredCode && holds !== "unknown");
  // Values of the back alone say nothing about the front.
  const isCompared =
    compared.some(({ holds }) => holds === true) ||
    (compared.length > 0 && !doubtsOf(findings).some(isOfTie));
  return [
    ...(isRead ? [] : (["NOT_PROCESSED_OCR"] as const)),
    ...(front.portrait === undefined ? (["NOT_PROCESSED_PHOTO_CHECK"] as const) : []),
    ...(isCompared ? [] : (["NOT_PROCESSED_DATA_CHECK"] as const)),
  ];
};
