import { expect, it } from "vitest";
import { describeDecision } from "./documents.ts";
import { adviceOf } from "./verify.ts";

const finding = {
  stage: "type",
  holds: true,
  consequence: "resubmit",
  code: 602,
  source: "x",
  neededForApproval: true,
} as const;

it("a finding shows none for an empty figure, and without figures", () => {
  const [, held] = describeDecision({
    decision: { status: "Resubmission", reasonCode: 602, code: 9103, reason: "Other type", others: [] },
    findings: [
      { ...finding, name: "type-differs", evidence: { declared: " ", found: "", count: 0, isExact: false } },
      { ...finding, name: "expired", code: 501, evidence: { share: 0.12345 } },
      { ...finding, name: "specimen", code: 101, evidence: {} },
    ],
  });
  expect(held?.rows).toEqual([
    ["602 type-differs", "declared none, found none, count 0, isExact false"],
    ["501 expired", "share 0.1235"],
    ["101 specimen", "none"],
  ]);
});

it("a missing side is advised for a card alone that was not approved and is of the expected type", () => {
  const card = { type: "ID_CARD", reading: {}, findings: [] } as const;
  const advised = [["advice", "ID_CARD has two sides: name the other one too, --back IMAGE"]];
  const differs = (holds: boolean | "unknown") => ({
    ...card,
    findings: [{ name: "type-differs", holds }] as const,
  });
  expect(adviceOf(card, { decision: "retry" })).toEqual(advised);
  expect(adviceOf(differs(false), { decision: "retry" })).toEqual(advised);
  expect(adviceOf(differs("unknown"), { decision: "retry" })).toEqual(advised);
  expect(adviceOf(differs(true), { decision: "retry" })).toEqual([]);
  expect(adviceOf(card, { decision: "approved" })).toEqual([]);
  expect(adviceOf({ ...card, type: "PASSPORT" }, { decision: "retry" })).toEqual([]);
});
