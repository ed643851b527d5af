import { expect, it } from "vitest";
import type { FacialAuthentication } from "#contract/facial-authentication";
import { besideLiveness } from "./capture-fault.ts";
import { type LivenessResult, livenessRules } from "./liveness/liveness-rules.ts";
import type { Comparison } from "./matching/comparison.ts";
import { defaultFacePolicy } from "./policy.ts";
import { comparisonOf } from "./record.ts";
import { replayComparison } from "./replay-halves.ts";

const comparison: Comparison = { score: -1, similarity: 0.1, falseMatchRate: 0.5, cosines: [0.1, 0.1] };

const judged = (result: FacialAuthentication, liveness: LivenessResult): FacialAuthentication =>
  besideLiveness({ result, use: "selfie" }, { result: liveness }).result;

it("states no other person beside a fault of the capture that the person can correct", () => {
  for (const { result } of livenessRules) {
    const expected = result === "NoneBecauseAngleTooLarge" ? "NoneBecausePoseExceed" : "None";
    expect([judged("Negative", result), judged("Uncertain", result)]).toEqual([expected, expected]);
  }
});

it("leaves a match and every other result as it is beside such a fault", () => {
  const others = ["Positive", "None", "NoneBecausePoseExceed", "NoneBecauseInvalidExtractions"] as const;
  for (const facial of others) expect(judged(facial, "NoneBecauseAngleTooLarge")).toBe(facial);
});

it("leaves another person one beside a live face, an attack and a result that no capture corrects", () => {
  for (const liveness of ["Live", "NoLive", "None", "NoneBecauseInternalError"] as const) {
    expect(judged("Negative", liveness)).toBe("Negative");
  }
});

it("states no similarity where it states no comparison", () => {
  const facial = { result: "Negative", use: "selfie", comparison } as const;
  expect(besideLiveness(facial, { result: "NoneBecauseEyesClosed" })).toEqual({
    result: "None",
    use: "selfie",
    withheld: { comparison, beside: "NoneBecauseEyesClosed" },
  });
  expect(besideLiveness(facial, { result: "Live" })).toBe(facial);
});

it("is recorded with its score, and a replay answers it as it was", () => {
  const other = { result: "Negative", use: "selfie", comparison } as const;
  const sides = [{ kind: "template" }, { kind: "template" }] as const;
  const replayed = (result: LivenessResult) =>
    replayComparison(comparisonOf(besideLiveness(other, { result })), sides, defaultFacePolicy, false);
  expect(comparisonOf(besideLiveness(other, { result: "NoneBecauseBadQuality" }))).toEqual({
    result: "None",
    use: "selfie",
    score: -1,
    similarity: null,
    falseMatchRate: null,
    beside: "NoneBecauseBadQuality",
  });
  expect(replayed("NoneBecauseBadQuality")).toEqual({ was: "None", now: "None" });
  expect(replayed("NoneBecauseAngleTooLarge")).toEqual({
    was: "NoneBecausePoseExceed",
    now: "NoneBecausePoseExceed",
  });
  expect(replayed("Live")).toEqual({ was: "Negative", now: "Negative" });
});
