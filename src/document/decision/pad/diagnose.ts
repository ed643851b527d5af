import type { PadDecision, PadReason } from "#contract/pad";
import type { DocumentReading } from "../../reading/reading.ts";
import { cueWeights, type DocumentCue } from "../attacks/cue.ts";
import { type FusedAttack, fuseCues } from "../attacks/fusion.ts";
import type { DecidedDocument } from "../decide.ts";
import type { Finding } from "../finding.ts";
import type { FindingName } from "../finding-names.ts";
import type { DocumentPolicy } from "../policy.ts";
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
 * Decides whether a document is genuine. Pure. A spoof needs traces or contradictions that reach its
 * threshold together. Traces on a poor image are no evidence, so on it only contradictions can make a spoof.
 * Doubtful: a trace, an image that does not meet the requirements, a document without readable data or
 * portrait, or one of another type or country than declared. Error: no check could be made.
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
    ...new Set([...fused.cues.flatMap(reasonOf), ...contradictionReasons(findings)]),
    ...unprocessed,
  ];
  return { decision: decide(fused, quality, unprocessed, findings, policy), reasons, quality, attack: fused };
};

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
  fused: FusedAttack,
  quality: QualityReport,
  unprocessed: readonly PadReason[],
  findings: readonly Finding[],
  { attacks }: DocumentPolicy,
): PadDecision => {
  if (unprocessed.length === 3) return "Error";
  const documentCues = fused.cues.filter(({ on }) => on === "document");
  const { verdict } = quality.passed ? fused : fuseCues(documentCues, attacks);
  if (verdict === "spoof") return "Spoof";
  const isDoubtful =
    !quality.passed ||
    fused.verdict !== "credible" ||
    unprocessed.some((reason) => reason !== "NOT_PROCESSED_DATA_CHECK") ||
    findings.some(({ name, holds }) => holds === true && doubtfulFindings.includes(name));
  return isDoubtful ? "Doubtful" : "Credible";
};

/** Findings that are no evidence of an attack, and yet leave a doubt about the document. */
const doubtfulFindings: readonly FindingName[] = [
  "two-documents",
  "type-differs",
  "country-differs",
  "specimen",
];

const reasonsOfCues: Readonly<Partial<Record<DocumentCue["name"], PadReason>>> = {
  "grey-copy": "Black_and_White_Printed_Copy_Attack",
  "grey-portrait": "Black_and_White_Printed_Copy_Attack",
  "fine-pattern": "Screen_Replay_Attack",
  "portrait-noise": "Photo_Replacement_Attack",
  "portrait-grid": "SECURITY_PHOTO_CHECK",
  "other-face": "SECURITY_PHOTO_CHECK",
  "edited-line": "SECURITY_DATA_CHECK",
};

const reasonOf = ({ name, level }: DocumentCue): readonly PadReason[] => {
  const reason = reasonsOfCues[name];
  return level === "none" || reason === undefined ? [] : [reason];
};

/** Distinguishes sides that contradict each other from data that is wrong in itself. */
const contradictionReasons = (findings: readonly Finding[]): readonly PadReason[] =>
  findings
    .filter(({ code, holds }) => holds === true && (code === alteredCode || code === twoDocumentsCode))
    .map(({ code, evidence }) =>
      code === twoDocumentsCode || evidence["isAcrossSides"] === true
        ? "SECURITY_OCR_CHECK"
        : "SECURITY_DATA_CHECK",
    );

/** Front and back are of two documents. */
const twoDocumentsCode = 642;

/** Tampered, data cross reference. */
const alteredCode = 507;

const unprocessedOf = (
  { front }: DocumentReading,
  isRead: boolean,
  findings: readonly Finding[],
): readonly PadReason[] => {
  const isCompared = findings.some(({ code, holds }) => code === alteredCode && holds !== "unknown");
  return [
    ...(isRead ? [] : (["NOT_PROCESSED_OCR"] as const)),
    ...(front.portrait === undefined ? (["NOT_PROCESSED_PHOTO_CHECK"] as const) : []),
    ...(isCompared ? [] : (["NOT_PROCESSED_DATA_CHECK"] as const)),
  ];
};
