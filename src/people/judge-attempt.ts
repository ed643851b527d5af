import type { LivenessJudgement } from "#face/liveness/judge-liveness";
import type { FacialJudgement } from "#face/matching/judge-comparison";
import type { Attempt } from "#storage/person";

/** What was found in one attempt to be a user. */
export type Findings = {
  /** The sent reference beside the registered template; absent at enrolment and where it is the very template. */
  readonly reference?: FacialJudgement;
  readonly facial: FacialJudgement;
  readonly liveness: LivenessJudgement;
  /** The policy takes a template whose liveness nobody judged. */
  readonly needsNoLiveness?: boolean;
};

export type Verdict = "authenticated" | "templateOfAnotherUser" | "notLiving" | "templatesDiffer";

/** In the order of the interface's table: whose template it is, whether a person lives, whether the faces match. */
export const judgeAttempt = ({ reference, facial, liveness, needsNoLiveness = false }: Findings): Verdict => {
  if (reference !== undefined && reference.result !== "Positive") {
    return "templateOfAnotherUser";
  }
  const lives = liveness.result === "Live" || (needsNoLiveness && liveness.result === "None");
  if (!lives) {
    return "notLiving";
  }
  return facial.result === "Positive" ? "authenticated" : "templatesDiffer";
};

const isAgainst = ({ result }: FacialJudgement): boolean => result === "Negative" || result === "Uncertain";

/**
 * Whether an attempt counts as a failure. What the person can mend by a better picture does not: no comparison told
 * anything that a guesser could use.
 */
export const findingOf = (findings: Findings): Attempt["finding"] => {
  if (judgeAttempt(findings) === "authenticated") {
    return "match";
  }
  const { reference, facial, liveness } = findings;
  const speaksAgainst =
    (reference !== undefined && isAgainst(reference)) || isAgainst(facial) || liveness.result === "NoLive";
  return speaksAgainst ? "against" : "nothing";
};
