import { type LivenessResult, livenessRules } from "./liveness/liveness-rules.ts";
import type { FacialJudgement } from "./matching/judge-comparison.ts";

const faults = new Set(livenessRules.map(({ result }) => result));

/**
 * The comparison of a best image beside its liveness. Where the person can correct the image, a low score
 * says nothing of who is on it: the head that liveness asks to turn back is compared up to 45°, and genuine
 * pairs miss the score there. Only a match is stated then, so that such an image is asked for again and
 * counts as no attempt. The record keeps the score.
 */
export const besideLiveness = (
  facial: FacialJudgement,
  { result }: { readonly result: LivenessResult },
): FacialJudgement => {
  if ((facial.result !== "Negative" && facial.result !== "Uncertain") || !faults.has(result)) return facial;
  const { comparison, ...rest } = facial;
  return {
    ...rest,
    result: result === "NoneBecauseAngleTooLarge" ? "NoneBecausePoseExceed" : "None",
    ...(comparison && { withheld: { comparison, beside: result } }),
  };
};
