import type { FaceMeasurement } from "../measurement.ts";
import type { LivenessPolicy } from "../policy.ts";
import { resubmittedReference } from "./cues/resubmitted.ts";
import { judgeLiveness, type LivenessJudgement } from "./judge-liveness.ts";

/**
 * Liveness of a best image. A copy of its own reference is no capture of a living person, whatever its own
 * cues are.
 */
export const judgeBestImage = (
  best: FaceMeasurement,
  isCopy: boolean,
  policy: LivenessPolicy,
): LivenessJudgement => {
  const judgement = judgeLiveness(best, policy);
  if (!isCopy || (judgement.result !== "Live" && judgement.result !== "None")) {
    return judgement;
  }
  const evidence = [...judgement.evidence, resubmittedReference];
  return { ...judgement, result: "NoLive", attackScore: 1, evidence };
};
