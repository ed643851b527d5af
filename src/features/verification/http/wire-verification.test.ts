import { expect, it } from "vitest";
import type { VerificationFlow } from "#contract/verification";
import type { FoundValidation } from "#judging/document/validation/find-validation";
import { factsOf, wireVerification } from "./wire-verification.ts";

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

/** The document part of the answer, with this evidence of its portrait. */
const documentOf = (
  flow: VerificationFlow,
  portrait: Pick<FoundValidation["record"], "portraitEvidence">,
): unknown => {
  const at = new Date(0);
  const { record } = recordOf(undefined);
  const of = { id: "v", tenantId: "t", environment: "test", keyId: "k", operationId: "o" } as const;
  const transactions = { start: "s", face: "f", decision: "d" };
  const content = { flow, createdBy: "c", transactions, scanReference: "scan" };
  const { document } = wireVerification(
    {
      verification: { ...of, state: "PROCESSING", revision: 1, createdAt: at, attempts: 0, content },
      document: {
        id: "scan",
        status: "DONE",
        acceptedAt: at,
        merchantReference: null,
        attempt: 1,
        record: { ...record, ...portrait },
      },
    },
    { reasonCodes: "interface", clock: () => at, pageUrl: (id) => `https://idem.example/capture/${id}` },
  );
  return document;
};

it("the document part states what shows that the portrait belongs to the document, as its validation does", () => {
  expect(documentOf("document", { portraitEvidence: "ghost" })).toMatchObject({ portraitEvidence: "ghost" });
  expect(documentOf("document", {})).not.toHaveProperty("portraitEvidence");
});

it("the answer to an age states the decision alone, and no evidence of a portrait", () => {
  expect(documentOf("age_over", { portraitEvidence: "ghost" })).not.toHaveProperty("portraitEvidence");
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
