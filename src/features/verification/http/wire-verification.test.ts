import { expect, it } from "vitest";
import type { FoundValidation } from "#judging/document/validation/find-validation";
import { factsOf } from "./wire-verification.ts";

const poor = {
  name: "front-picture-poor",
  stage: "capture",
  holds: true,
  code: 204,
  evidence: { shortSidePx: 640, shortSidePxMin: 720 },
} as const;

const recordOf = (findings: FoundValidation["record"]["findings"]): Pick<FoundValidation, "record"> => ({
  record: {
    status: "Resubmission",
    reason: null,
    reasonCode: 204,
    otherReasonCodes: [],
    decidedAt: null,
    document: { type: "PASSPORT", country: null, number: null, issued: null, expires: null },
    person: {
      firstName: null,
      lastName: null,
      nationality: null,
      sex: null,
      dateOfBirth: null,
      yearOfBirth: null,
    },
    ...(findings && { findings }),
  },
});

it("the figures of the finding that asks for another image are answered, and no text of it", () => {
  const found = { ...poor, evidence: { ...poor.evidence, side: "front" } };
  expect(factsOf(recordOf([found]))).toEqual({
    facts: { shortSidePx: 640, shortSidePxMin: 720 },
    guidance: "closer",
  });
});

it.each([
  [{ brightness: 20, brightnessMin: 40, sharpness: 0.1, sharpnessMin: 0.15 }, "too_dark"],
  [{ overexposedShare: 0.5, overexposedShareMax: 0.4 }, "glare"],
  [{ sharpness: 0.1, sharpnessMin: 0.15 }, "blur"],
  [{ jpegQuality: 60, jpegQualityMin: 70 }, undefined],
  [{ brightness: 40 }, undefined],
])("figures %o have the guidance %s", (evidence, guidance) => {
  expect(factsOf(recordOf([{ ...poor, evidence }])).guidance).toBe(guidance);
});

it.each([
  ["of another reason", { ...poor, code: 614 }],
  ["that does not hold", { ...poor, holds: false }],
  ["about the holder", { ...poor, stage: "age" }],
])("a finding %s has no figures in the answer", (_, found) => {
  expect(factsOf(recordOf([found]))).toEqual({});
});
