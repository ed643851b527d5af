import type { AssuranceLevel } from "#contract/liveness";
import type { OpenedToken } from "#trust/tokens/token";
import type { FaceMeasurement, MeasuredImage } from "../measurement.ts";
import type { LivenessPolicy } from "../policy.ts";
import type { CueEvidence } from "./cues/cue.ts";
import { showsMotion } from "./cues/motion.ts";
import { attackScoreOf, canJudge, judgeCues } from "./fusion.ts";
import { type LivenessResult, livenessRules } from "./liveness-rules.ts";

export type LivenessJudgement = {
  readonly result: LivenessResult;
  readonly assurance: AssuranceLevel;
  /** 0…1; absent where no attack was searched for (`NoneBecause…`). */
  readonly attackScore?: number;
  readonly evidence: readonly CueEvidence[];
};

const refused = (result: LivenessResult, assurance: AssuranceLevel = "advisory"): LivenessJudgement => ({
  result,
  assurance,
  evidence: [],
});

/** The assurance of the cues of one image. */
const assuranceOf = ({ cues }: MeasuredImage): AssuranceLevel => {
  if (cues?.motion !== undefined && showsMotion(cues.motion)) return "multi-frame";
  return cues?.network === undefined ? "advisory" : "model";
};

/**
 * Judges one measured image. Rules that the user can satisfy come first (liveness-rules.ts), then the attack
 * cues. Without a sufficient cue, or without a value of a network in force, the result is `None`: neither
 * live nor attack is certain.
 *
 * @example
 * ```ts
 * import { judgeLiveness } from "#judging/face/liveness/judge-liveness";
 * import { defaultFacePolicy } from "#judging/face/policy";
 *
 * const measurement = { kind: "unreadable", code: "image_unreadable" } as const;
 * const { result } = judgeLiveness(measurement, defaultFacePolicy.liveness);
 * console.log(result); // NoneBecauseImageDataError
 * ```
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
  const subject = { image: measurement, face, policy };
  const broken = livenessRules.find(({ holds }) => holds(subject));
  if (broken !== undefined) {
    return refused(broken.result, assurance);
  }
  const evidence = withRefusal(judgeCues(measurement, policy.fusion), measurement, policy);
  const attackScore = attackScoreOf(evidence, policy.fusion);
  const isLive = attackScore <= policy.attackScoreMax;
  // The physical cues alone do not replace a network in force that gives no value.
  const hasNetworkValue = measurement.cues?.networkSilence === undefined;
  const verdict = isLive ? (hasNetworkValue && canJudge(evidence) ? "Live" : "None") : "NoLive";
  return { result: verdict, assurance, attackScore, evidence };
};

/**
 * The evidence that counts. After a clear no of an added network the cues in the person's favour are neutral:
 * an attack that has no frame and no grid is exactly what the network is added for.
 */
const withRefusal = (
  evidence: readonly CueEvidence[],
  { cues }: MeasuredImage,
  { networkRefusalMax }: LivenessPolicy,
): readonly CueEvidence[] =>
  cues?.network === undefined || cues.network.live > networkRefusalMax
    ? evidence
    : evidence.map((one) => (one.weight < 0 ? { ...one, weight: 0 } : one));

/** The result after an engine failure: there is no measurement. */
export const livenessUnknown: LivenessJudgement = refused("NoneBecauseInternalError");

/**
 * The judgement with the assurance that its best image has from its origin: unsealed, or captured under a
 * challenge.
 */
export const withOrigin = (
  judgement: LivenessJudgement,
  bestImage: Pick<OpenedToken, "isSealed" | "attestation"> | undefined,
): LivenessJudgement => {
  if (bestImage?.isSealed === false) return { ...judgement, assurance: "unsealed" };
  return bestImage?.attestation?.level === "active-turn"
    ? { ...judgement, assurance: "active-turn" }
    : judgement;
};

/** Whether the image had a part in the result: without a licence, a new capture does not help. */
export const isJudged = ({ result }: LivenessJudgement): boolean => result !== "NoneBecauseLicenseError";
