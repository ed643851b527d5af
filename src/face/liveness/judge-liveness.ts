import type { LivenessDiagnostic } from "#contract/liveness";
import type { FaceMeasurement, MeasuredPicture } from "../measurement.ts";
import type { LivenessPolicy } from "../policy.ts";
import type { CueEvidence } from "./cues/cue.ts";
import { showsMotion } from "./cues/motion.ts";
import { attackScoreOf, canJudge, judgeCues } from "./fusion.ts";
import { livenessRules } from "./liveness-rules.ts";

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

const refused = (result: LivenessResult, assurance: AssuranceLevel = "advisory"): LivenessJudgement => ({
  result,
  assurance,
  evidence: [],
});

/** What the picture's own cues are worth. */
const assuranceOf = ({ cues }: MeasuredPicture): AssuranceLevel => {
  if (cues?.motion !== undefined && showsMotion(cues.motion)) return "multi-frame";
  return cues?.network === undefined ? "advisory" : "model";
};

/**
 * Judges one measured picture. What the person can mend comes first (liveness-rules.ts); then the cues of an attack.
 * With no decisive cue measured, or a network in force that said nothing, the answer is `None`: neither live nor attack can
 * be claimed.
 */
export const judgeLiveness = (measurement: FaceMeasurement, policy: LivenessPolicy): LivenessJudgement => {
  if (!policy.isLicensed) {
    return refused("NoneBecauseLicenseError");
  }
  if (measurement.kind !== "measured") {
    const isData = measurement.kind === "unreadable";
    return refused(isData ? "NoneBecauseImageDataError" : "NoneBecauseImagePreprocessError");
  }
  const { face } = measurement;
  const assurance = assuranceOf(measurement);
  if (face === undefined) {
    return refused("NoneBecauseFaceNotFound", assurance);
  }
  const subject = { picture: measurement, face, policy };
  const broken = livenessRules.find(({ holds }) => holds(subject));
  if (broken !== undefined) {
    return refused(broken.result, assurance);
  }
  const evidence = judgeCues(measurement, policy.fusion);
  const attackScore = attackScoreOf(evidence, policy.fusion);
  const isLive = attackScore <= policy.attackScoreMax;
  // A network that is in force and gives no number must not leave the answer to what it was to be better than.
  const isHeard = measurement.cues?.networkSilence === undefined;
  const verdict = isLive ? (isHeard && canJudge(evidence) ? "Live" : "None") : "NoLive";
  return { result: verdict, assurance, attackScore, evidence };
};

/** The answer where the engine itself failed: nothing was learned of the person. */
export const livenessUnknown: LivenessJudgement = refused("NoneBecauseInternalError");

/** Whether the person's picture had a part in the answer: for want of a licence nobody must capture again. */
export const isJudged = ({ result }: LivenessJudgement): boolean => result !== "NoneBecauseLicenseError";
