import type { PadDecision, PadReason } from "#contract/pad";
import type { DocumentReading } from "../../reading/reading.ts";
import { cueWeights, type DocumentCue } from "../attacks/cue.ts";
import { type FusedAttack, fuseCues } from "../attacks/fusion.ts";
import type { DecidedDocument } from "../decide.ts";
import type { Finding } from "../finding.ts";
import { judgeDocument } from "../judge.ts";
import type { DocumentPolicy } from "../policy.ts";
import {
  concernsGenuineness,
  doubtsOf,
  isOfTie,
  nearestReason,
  reasonsOfContradictions,
  reasonsOfTraces,
} from "./doubt.ts";
import { judgeRequirements, type QualityReport } from "./image-requirements.ts";

/** The comparison of the sent face with the portrait; `unknown` where one of them cannot be compared. */
export type FaceAnswer = "same" | "other" | "unknown";

/** The result of the diagnostic. */
export type PadDiagnosis = {
  readonly decision: PadDecision;
  /**
   * The reasons that were found, strongest first; then the checks that could not be made. Empty where it is
   * Credible.
   */
  readonly reasons: readonly PadReason[];
  readonly quality: QualityReport;
  readonly attack: FusedAttack;
};

/**
 * Decides whether a document is genuine, from the findings of the validation. Pure. A spoof needs traces or
 * contradictions that reach its threshold together. Traces on a poor image are no evidence, so on it only
 * contradictions can make a spoof. Credible where the validation would approve, apart from findings that do
 * not concern genuineness, and no field contradicts another; then no reason is named. Every other document is
 * Doubtful, for a reason or for a requirement that an image misses. Error: no check could be made.
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
  const unprocessed = unprocessedOf(Object.keys(fields.values).length > 0, findings);
  const doubts = doubtsOf(findings);
  const contradictions = reasonsOfContradictions(doubts);
  const wouldApprove = face !== "other" && contradictions.length === 0 && isGenuine(decided, policy);
  const decision = decide({ fused, quality, unprocessed, wouldApprove }, policy);
  if (decision === "Credible") return { decision, reasons: [], quality, attack: fused };
  const found = [...reasonsOfTraces(fused.cues), ...contradictions];
  const isOtherwiseDoubted = !quality.passed || doubts.some(isOfTie) || isDoubt(unprocessed);
  const isUnnamed = found.length === 0 && (decision === "Spoof" || !isOtherwiseDoubted);
  const nearest = isUnnamed ? nearestReason(doubts, fused.cues) : [];
  const reasons = [...new Set([...found, ...nearest, ...unprocessed])];
  const isWithout = decision === "Doubtful" && quality.passed && reasons.length === 0;
  return {
    decision,
    // The validation asks for other images, or for a person: so its checks were not completed.
    reasons: isWithout ? ["NOT_PROCESSED_DATA_CHECK"] : reasons,
    quality,
    attack: fused,
  };
};

/** Whether the validation approves, or would if the document were valid today and served. */
const isGenuine = (
  { decision, findings }: Pick<DecidedDocument, "decision" | "findings">,
  policy: DocumentPolicy,
): boolean =>
  decision.status === "Approved" ||
  judgeDocument(findings.filter(concernsGenuineness), policy).status === "Approved";

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
    wouldApprove,
  }: {
    readonly fused: FusedAttack;
    readonly quality: QualityReport;
    readonly unprocessed: readonly PadReason[];
    readonly wouldApprove: boolean;
  },
  { attacks }: DocumentPolicy,
): PadDecision => {
  if (unprocessed.length === 3) return "Error";
  const documentCues = fused.cues.filter(({ on }) => on === "document");
  const { verdict } = quality.passed ? fused : fuseCues(documentCues, attacks);
  if (verdict === "spoof") return "Spoof";
  return wouldApprove ? "Credible" : "Doubtful";
};

/** Without a second source there is no value to compare: that alone names no fault of the images. */
const isDoubt = (unprocessed: readonly PadReason[]): boolean =>
  unprocessed.some((reason) => reason !== "NOT_PROCESSED_DATA_CHECK");

/** Tampered, data cross reference. */
const alteredCode = 507;

/** As the validation finds it: a ghost is no portrait. */
const isWithoutPortrait = (findings: readonly Finding[]): boolean =>
  findings.some(({ name, holds }) => name === "portrait-missing" && holds === true);

const unprocessedOf = (isRead: boolean, findings: readonly Finding[]): readonly PadReason[] => {
  const compared = findings.filter(({ code, holds }) => code === alteredCode && holds !== "unknown");
  // Values of the back alone say nothing about the front.
  const isCompared =
    compared.some(({ holds }) => holds === true) ||
    (compared.length > 0 && !doubtsOf(findings).some(isOfTie));
  return [
    ...(isRead ? [] : (["NOT_PROCESSED_OCR"] as const)),
    ...(isWithoutPortrait(findings) ? (["NOT_PROCESSED_PHOTO_CHECK"] as const) : []),
    ...(isCompared ? [] : (["NOT_PROCESSED_DATA_CHECK"] as const)),
  ];
};
