import type { PadDecision, PadReason } from "#contract/pad";
import { type FusedAttack, fuseSignals } from "../attacks/fusion.ts";
import { type Signal, weights } from "../attacks/signal.ts";
import type { DecidedDocument } from "../decide.ts";
import type { Finding } from "../finding.ts";
import type { FindingName } from "../finding-names.ts";
import type { DocumentPolicy } from "../policy.ts";
import type { DocumentReading } from "../reading.ts";
import { judgeRequirements, type QualityReport } from "./image-requirements.ts";

/** How the face that was sent compares with the portrait; `unknown` where one of them cannot be known. */
export type FaceAnswer = "same" | "other" | "unknown";

/** What the diagnostic says of a document. */
export type PadDiagnosis = {
  readonly decision: PadDecision;
  /** What was found, most telling first; then what could not be looked at. */
  readonly reasons: readonly PadReason[];
  readonly quality: QualityReport;
  readonly attack: FusedAttack;
};

/**
 * Decides whether a document is genuine. Pure. A spoof needs traces or contradictions that reach it together; what a poor
 * picture shows is evidence against nobody, so there contradictions alone can make one. Doubtful: a trace, a picture that
 * does not meet the requirements, a document whose data or portrait could not be looked at, or one that is of another kind
 * or country than was said. Error: nothing at all could be looked at.
 */
export const diagnose = (
  reading: DocumentReading,
  { fields, findings, attack }: Pick<DecidedDocument, "fields" | "findings" | "attack">,
  face: FaceAnswer | undefined,
  policy: DocumentPolicy,
): PadDiagnosis => {
  const quality = judgeRequirements(reading, policy);
  const fused = face === undefined ? attack : withFace(attack, face, policy);
  const unprocessed = unprocessedOf(reading, Object.keys(fields.values).length > 0, findings);
  const reasons = [
    ...new Set([...fused.signals.flatMap(reasonOf), ...contradicted(findings)]),
    ...unprocessed,
  ];
  return { decision: decide(fused, quality, unprocessed, findings, policy), reasons, quality, attack: fused };
};

const withFace = (attack: FusedAttack, face: FaceAnswer, { attacks }: DocumentPolicy): FusedAttack => {
  if (face === "unknown") return attack;
  const isOther = face === "other";
  const signal: Signal = {
    name: "other-face",
    on: "document",
    level: isOther ? "strong" : "none",
    weight: isOther ? weights.otherFace : 0,
    evidence: {},
  };
  return fuseSignals([...attack.signals, signal], attacks);
};

const decide = (
  fused: FusedAttack,
  quality: QualityReport,
  unprocessed: readonly PadReason[],
  findings: readonly Finding[],
  { attacks }: DocumentPolicy,
): PadDecision => {
  if (unprocessed.length === 3) return "Error";
  const said = fused.signals.filter(({ on }) => on === "document");
  const { verdict } = quality.passed ? fused : fuseSignals(said, attacks);
  if (verdict === "spoof") return "Spoof";
  const isUnsure =
    !quality.passed ||
    fused.verdict !== "credible" ||
    unprocessed.some((reason) => reason !== "NOT_PROCESSED_DATA_CHECK") ||
    findings.some(({ name, holds }) => holds === true && doubts.includes(name));
  return isUnsure ? "Doubtful" : "Credible";
};

/** Findings that speak of no attack and yet leave a doubt what was shown. */
const doubts: readonly FindingName[] = ["two-documents", "type-differs", "country-differs", "specimen"];

const reasonsOfSignals: Readonly<Partial<Record<Signal["name"], PadReason>>> = {
  "grey-copy": "Black_and_White_Printed_Copy_Attack",
  "grey-portrait": "Black_and_White_Printed_Copy_Attack",
  "fine-pattern": "Screen_Replay_Attack",
  "portrait-noise": "Photo_Replacement_Attack",
  "portrait-grid": "SECURITY_PHOTO_CHECK",
  "other-face": "SECURITY_PHOTO_CHECK",
  "edited-line": "SECURITY_DATA_CHECK",
};

const reasonOf = ({ name, level }: Signal): readonly PadReason[] => {
  const reason = reasonsOfSignals[name];
  return level === "none" || reason === undefined ? [] : [reason];
};

/** Front and back that say different things are told apart from data that is wrong by itself. */
const contradicted = (findings: readonly Finding[]): readonly PadReason[] =>
  findings
    .filter(({ code, holds }) => holds === true && (code === altered || code === ofTwoDocuments))
    .map(({ code, evidence }) =>
      code === ofTwoDocuments || evidence["isAcrossSides"] === true
        ? "SECURITY_OCR_CHECK"
        : "SECURITY_DATA_CHECK",
    );

/** Front and back are of two documents. */
const ofTwoDocuments = 642;

/** Tampered, data cross reference. */
const altered = 507;

const unprocessedOf = (
  { front }: DocumentReading,
  isRead: boolean,
  findings: readonly Finding[],
): readonly PadReason[] => {
  const isCompared = findings.some(({ code, holds }) => code === altered && holds !== "unknown");
  return [
    ...(isRead ? [] : (["NOT_PROCESSED_OCR"] as const)),
    ...(front.portrait === undefined ? (["NOT_PROCESSED_PHOTO_CHECK"] as const) : []),
    ...(isCompared ? [] : (["NOT_PROCESSED_DATA_CHECK"] as const)),
  ];
};
