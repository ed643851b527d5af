import type { LivenessJudgement } from "#judging/face/liveness/judge-liveness";
import type { FacialJudgement } from "#judging/face/matching/judge-comparison";
import type { Attempt } from "./store/user.ts";

/** The findings of one authentication attempt. */
export type Findings = {
  /**
   * The comparison of the sent reference with the registered template; absent at enrolment and for the
   * identical template.
   */
  readonly reference?: FacialJudgement;
  readonly facial: FacialJudgement;
  readonly liveness: LivenessJudgement;
  /** True if the policy accepts a template without a liveness judgement. */
  readonly needsNoLiveness?: boolean;
};

export type Verdict = "authenticated" | "templateOfAnotherUser" | "notLiving" | "templatesDiffer";

/** Checks in the order of the interface's table: owner of the template, liveness, match of the faces. */
export const judgeAttempt = ({ reference, facial, liveness, needsNoLiveness = false }: Findings): Verdict => {
  if (reference !== undefined && reference.result !== "Positive") {
    return "templateOfAnotherUser";
  }
  const isLive = liveness.result === "Live" || (needsNoLiveness && liveness.result === "None");
  if (!isLive) {
    return "notLiving";
  }
  return facial.result === "Positive" ? "authenticated" : "templatesDiffer";
};

const isAgainst = ({ result }: FacialJudgement): boolean => result === "Negative" || result === "Uncertain";

/**
 * Decides whether an attempt counts as a failure. A defect that a better image repairs does not count, and a
 * face of another person beside one is not stated (`besideLiveness`): only a match is, which opens nothing
 * without a living person.
 */
export const findingOf = (findings: Findings): Attempt["finding"] => {
  if (judgeAttempt(findings) === "authenticated") {
    return "match";
  }
  const { reference, facial, liveness } = findings;
  const isFailure =
    (reference !== undefined && isAgainst(reference)) || isAgainst(facial) || liveness.result === "NoLive";
  return isFailure ? "against" : "nothing";
};
