import type { LivenessDiagnostic } from "#contract/liveness";
import { attackScoreOf, type CueEvidence, canJudge, judgeCues } from "./cues.ts";
import type { FaceMeasurement, MeasuredFace, MeasuredPicture } from "./measurement.ts";
import type { LivenessPolicy } from "./policy.ts";

/** What liveness answers. Never the deprecated `Spoof` and `Uncertain`. */
export type LivenessResult = Exclude<LivenessDiagnostic, "Spoof" | "Uncertain">;

/**
 * How far the answer can be trusted, for the operator: `advisory` is what physical cues of one picture are worth,
 * `model` has a network beside them, `multi-frame` saw the person move. None is an ISO/IEC 30107-3 level.
 */
export type AssuranceLevel = "advisory" | "model" | "multi-frame";

export type LivenessJudgement = {
  readonly result: LivenessResult;
  readonly assurance: AssuranceLevel;
  /** 0…1; absent where a None says that no attack was looked for. */
  readonly attackScore?: number;
  readonly evidence: readonly CueEvidence[];
};

type Subject = {
  readonly picture: MeasuredPicture;
  readonly face: MeasuredFace;
  readonly policy: LivenessPolicy;
};
type Rule = readonly [result: LivenessResult, holds: (subject: Subject) => boolean];

/** True unless the value is a number within the bounds: NaN never passes a gate. */
const outside = (value: number, low: number, high: number): boolean => !(value >= low && value <= high);

/**
 * What the person can do better, in the order of doing it: who is in the picture, how far, where, how turned, what
 * covers the face, and light and focus last. The first rule that holds is the answer.
 */
const rules: readonly Rule[] = [
  ["NoneBecauseFaceNotFound", ({ face, policy }) => outside(face.presence, policy.presenceMin, 1)],
  [
    "NoneBecauseTooManyFaces",
    ({ picture, policy }) => (picture.faceWidths[1] ?? 0) >= policy.secondFaceShareMin,
  ],
  [
    "NoneBecauseFaceTooSmall",
    ({ face, policy }) => outside(face.eyeDistancePx, policy.eyeDistancePxMin, Number.MAX_VALUE),
  ],
  ["NoneBecauseFaceTooClose", ({ picture, face, policy }) => faceShare(picture, face) > policy.faceShareMax],
  ["NoneBecauseFaceCropped", ({ face, policy }) => outside(face.outsideShare, 0, policy.outsideShareMax)],
  [
    "NoneBecauseFaceTooCloseToBorder",
    ({ face, policy }) => outside(face.borderMargin, policy.borderMarginMin, Number.MAX_VALUE),
  ],
  ["NoneBecauseAngleTooLarge", ({ face, policy }) => isTurned(face, policy)],
  ["NoneBecauseFaceOccluded", ({ face, policy }) => isCovered(face, policy)],
  [
    "NoneBecauseEyesClosed",
    ({ face, policy }) =>
      face.eyeOpenness !== undefined && Math.max(...face.eyeOpenness) < policy.eyeOpennessMin,
  ],
  ["NoneBecauseBadQuality", ({ face, policy }) => isPoor(face, policy)],
];

const faceShare = (picture: MeasuredPicture, { box }: MeasuredFace): number =>
  Math.max(box.width / picture.width, box.height / picture.height);

const isTurned = ({ pose }: MeasuredFace, policy: LivenessPolicy): boolean =>
  outside(Math.abs(pose.yawDegrees), 0, policy.yawDegreesMax) ||
  outside(Math.abs(pose.pitchDegrees), 0, policy.pitchDegreesMax) ||
  outside(Math.abs(pose.rollDegrees), 0, policy.rollDegreesMax);

/** A mask or hand over mouth and chin, or lenses too dark to see the eyes. */
const isCovered = ({ quality }: MeasuredFace, policy: LivenessPolicy): boolean =>
  quality.lowerFaceChroma > policy.lowerFaceChromaMax || quality.eyeToSkin < policy.eyeToSkinMin;

const isPoor = ({ quality }: MeasuredFace, policy: LivenessPolicy): boolean =>
  outside(quality.sharpness, policy.sharpnessMin, Number.MAX_VALUE) ||
  outside(quality.brightness, policy.brightnessMin, policy.brightnessMax) ||
  outside(quality.contrast, policy.contrastMin, Number.MAX_VALUE) ||
  outside(quality.blownOut, 0, policy.blownOutMax);

const refused = (result: LivenessResult): LivenessJudgement => ({
  result,
  assurance: "advisory",
  evidence: [],
});

/**
 * Judges one measured picture. The rules above come first; then the cues of an attack. With no decisive cue
 * measured the answer is `None`: neither live nor attack can be claimed.
 */
export const judgeLiveness = (measurement: FaceMeasurement, policy: LivenessPolicy): LivenessJudgement => {
  if (measurement.kind !== "measured") {
    const isData = measurement.kind === "unreadable";
    return refused(isData ? "NoneBecauseImageDataError" : "NoneBecauseImagePreprocessError");
  }
  const { face } = measurement;
  if (face === undefined) {
    return refused("NoneBecauseFaceNotFound");
  }
  const subject = { picture: measurement, face, policy };
  const broken = rules.find(([, holds]) => holds(subject));
  if (broken !== undefined) {
    return refused(broken[0]);
  }
  const evidence = judgeCues(measurement);
  const attackScore = attackScoreOf(evidence);
  const isLive = attackScore <= policy.attackScoreMax;
  const verdict = isLive ? (canJudge(evidence) ? "Live" : "None") : "NoLive";
  return { result: verdict, assurance: "advisory", attackScore, evidence };
};

/** The answer where the engine itself failed: nothing was learned of the person. */
export const livenessUnknown: LivenessJudgement = refused("NoneBecauseInternalError");
