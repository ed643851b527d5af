import { describe, expect, it } from "vitest";
import { foundBy } from "./end-verification.ts";

const transactions = { start: "start", face: "face", decision: "decision" };
const face = { facial: 3, liveness: 3, assurance: "advisory", similarity: 3, falseMatchRate: 0.001 } as const;

describe("the record of a decision", () => {
  it("names what shows that the portrait belongs to the document", () => {
    expect(
      foundBy({ transactions, face, scanReference: "scan" }, { portraitEvidence: "print-consistent" }),
    ).toEqual({ face: "face", scanReference: "scan", portraitEvidence: "print-consistent" });
  });

  it("states no evidence of a portrait for a document of an earlier release, and none without a document", () => {
    expect(foundBy({ transactions, scanReference: "scan" }, { portraitEvidence: undefined })).toEqual({
      face: null,
      scanReference: "scan",
    });
    expect(foundBy({ transactions, face: { refused: "selfie_used" } }, {})).toEqual({
      face: null,
      scanReference: null,
    });
  });
});
