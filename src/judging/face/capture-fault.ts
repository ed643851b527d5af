import type { LivenessJudgement } from "./liveness/judge-liveness.ts";
import { livenessRules } from "./liveness/liveness-rules.ts";
import type { FacialJudgement } from "./matching/judge-comparison.ts";

const faults = new Set(livenessRules.map(({ result }) => result));

/**
 * The comparison of a best image beside its liveness. Where the person can correct the image, a low score
 * says nothing of who is on it: the head that liveness asks to turn back is compared up to 45°, and genuine
 * pairs miss the score there. Only a match is stated then, so that such an image is asked for again and
 * counts as no attempt.
 */
export const besideLiveness = (
  facial: FacialJudgement,
  { result }: Pick<LivenessJudgement, "result">,
): FacialJudgement => {
  if ((facial.result !== "Negative" && facial.result !== "Uncertain") || !faults.has(result)) return facial;
  const { comparison: _, ...rest } = facial;
  return { ...rest, result: result === "NoneBecauseAngleTooLarge" ? "NoneBecausePoseExceed" : "None" };
};
