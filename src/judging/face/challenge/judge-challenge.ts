import type { GuidanceCode } from "#contract/guidance";
import { judgeLiveness, type LivenessJudgement } from "../liveness/judge-liveness.ts";
import type { LivenessResult } from "../liveness/liveness-rules.ts";
import type { MeasuredFace } from "../measurement.ts";
import type { LivenessPolicy } from "../policy.ts";
import type { Challenge, ChallengeVerdict } from "./challenge.ts";
import { judgeStep } from "./judge-step.ts";
import type { ChallengeMeasurement } from "./measurement.ts";
import type { ChallengePolicy } from "./policy.ts";
import { again } from "./verdict.ts";

export type ChallengeJudgement = ChallengeVerdict & {
  /** The passive liveness of the best image; absent where an earlier check did not hold. */
  readonly liveness?: LivenessJudgement;
};

/** The policies that judge a capture. */
export type CapturePolicies = { readonly challenge: ChallengePolicy; readonly liveness: LivenessPolicy };

/** The turns that were asked, and the times that the page states for the frames of each step. */
export type AnsweredChallenge = Pick<Challenge, "steps"> & {
  readonly times?: readonly (readonly number[])[] | undefined;
};

/**
 * Judges the measurement of a capture, check by check; the first that does not hold is the result. Order,
 * times and signature were judged before (judge-sequence.ts). Without a challenge the passive cues of the
 * best image alone decide.
 */
export const judgeChallenge = (
  { best, steps }: ChallengeMeasurement,
  challenge: AnsweredChallenge | undefined,
  policies: CapturePolicies,
): ChallengeJudgement => {
  if (best.kind !== "measured") return again("face_lost", "no_face");
  if (best.face === undefined || !(best.face.presence >= policies.challenge.presenceMin)) {
    return again("face_lost", "no_face");
  }
  if ((best.faceWidths[1] ?? 0) >= policies.challenge.secondFaceShareMin) {
    return again("face_lost", "many_faces");
  }
  const { pose: bestPose } = best.face;
  for (const check of ["face", "person", "best", "continuity", "rotation", "path", "relief"] as const) {
    for (const [i, { turn }] of (challenge?.steps ?? []).entries()) {
      const asked = { turn, times: challenge?.times?.[i], bestPose };
      const fault = judgeStep(check, steps[i], asked, policies.challenge);
      if (fault !== undefined) return fault;
    }
  }
  return judgePassive(judgeLiveness(best, policies.liveness), best.face, policies.liveness);
};

/** The cues of one image stay as they are: a refusal stays a refusal, whatever moved. */
const judgePassive = (
  liveness: LivenessJudgement,
  face: MeasuredFace,
  policy: LivenessPolicy,
): ChallengeJudgement => {
  if (liveness.result === "Live") return { result: "pass", guidance: [], liveness };
  if (liveness.result === "NoLive") return { result: "fail", reason: "passive", guidance: [], liveness };
  return { ...again("passive", ...guidanceOf(liveness.result, face, policy)), liveness };
};

const guidanceOf = (
  result: LivenessResult,
  face: MeasuredFace,
  policy: LivenessPolicy,
): readonly GuidanceCode[] => {
  if (result === "NoneBecauseBadQuality") return [qualityGuidance(face, policy)];
  const code = guidanceCodes[result];
  return code === undefined ? [] : [code];
};

const qualityGuidance = ({ quality }: MeasuredFace, policy: LivenessPolicy): GuidanceCode => {
  if (quality.brightness < policy.brightnessMin) return "too_dark";
  const isBright = quality.brightness > policy.brightnessMax || quality.blownOut > policy.blownOutMax;
  return isBright ? "too_bright" : "hold_still";
};

const guidanceCodes: Readonly<Partial<Record<LivenessResult, GuidanceCode>>> = {
  NoneBecauseFaceNotFound: "no_face",
  NoneBecauseTooManyFaces: "many_faces",
  NoneBecauseFaceTooSmall: "closer",
  NoneBecauseFaceTooClose: "further",
  NoneBecauseFaceCropped: "center",
  NoneBecauseFaceTooCloseToBorder: "center",
  NoneBecauseAngleTooLarge: "turn_less",
  NoneBecauseFaceOccluded: "uncover_face",
  NoneBecauseEyesClosed: "eyes_open",
};
