import { describe, expect, it } from "vitest";
import type { LivenessJudgement } from "#judging/face/liveness/judge-liveness";
import type { LivenessResult } from "#judging/face/liveness/liveness-rules";
import type { FacialJudgement } from "#judging/face/matching/judge-comparison";
import { findingOf, judgeAttempt } from "./judge-attempt.ts";

const facial = (result: FacialJudgement["result"]): FacialJudgement => ({ result });
const liveness = (result: LivenessResult): LivenessJudgement => ({
  result,
  assurance: "advisory",
  evidence: [],
});

describe("an attempt", () => {
  it.each([
    ["Positive", "Live", "authenticated", "match"],
    ["Negative", "Live", "templatesDiffer", "against"],
    ["Uncertain", "Live", "templatesDiffer", "against"],
    ["NoneBecausePoseExceed", "Live", "templatesDiffer", "nothing"],
    ["Positive", "NoLive", "notLiving", "against"],
    ["Negative", "NoLive", "notLiving", "against"],
    ["None", "NoneBecauseEyesClosed", "notLiving", "nothing"],
    ["Positive", "NoneBecauseBadQuality", "notLiving", "nothing"],
    ["Positive", "None", "notLiving", "nothing"],
  ] as const)("of a face %s and liveness %s is %s and counts as %s", (face, life, verdict, finding) => {
    const findings = { facial: facial(face), liveness: liveness(life) };
    expect(judgeAttempt(findings)).toBe(verdict);
    expect(findingOf(findings)).toBe(finding);
  });

  it.each([
    ["Negative", "against"],
    ["NoneBecauseInvalidExtractions", "nothing"],
  ] as const)("with a reference judged %s stops there and counts as %s", (result, finding) => {
    const findings = { reference: facial(result), facial: facial("None"), liveness: liveness("None") };
    expect(judgeAttempt(findings)).toBe("templateOfAnotherUser");
    expect(findingOf(findings)).toBe(finding);
  });

  it("without an image passes only by policy, and never after an attack", () => {
    const bare = { facial: facial("Positive"), needsNoLiveness: true };
    expect(judgeAttempt({ ...bare, liveness: liveness("None") })).toBe("authenticated");
    expect(judgeAttempt({ ...bare, liveness: liveness("NoLive") })).toBe("notLiving");
  });
});
