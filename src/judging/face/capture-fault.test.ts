import { expect, it } from "vitest";
import type { FacialAuthentication } from "#contract/facial-authentication";
import { besideLiveness } from "./capture-fault.ts";
import { type LivenessResult, livenessRules } from "./liveness/liveness-rules.ts";

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
  const comparison = { score: -1 } as NonNullable<Parameters<typeof besideLiveness>[0]["comparison"]>;
  const facial = { result: "Negative", use: "selfie", comparison } as const;
  expect(besideLiveness(facial, { result: "NoneBecauseEyesClosed" })).toEqual({
    result: "None",
    use: "selfie",
  });
  expect(besideLiveness(facial, { result: "Live" })).toBe(facial);
});
