import { expect, it } from "vitest";
import { describeDecision } from "./documents.ts";
import { adviceOf } from "./verify.ts";

const declined = {
  status: "Resubmission",
  reasonCode: 602,
  code: 9103,
  reason: "Other type",
  others: [],
} as const;

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
    decision: declined,
    record: {},
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

it("a decision says in one line what shows that the portrait belongs to the document", () => {
  const rowsWith = (record: Parameters<typeof describeDecision>[0]["record"]) =>
    describeDecision({ decision: declined, findings: [], record })[0]?.rows;
  expect(rowsWith({ portraitEvidence: "ghost" })).toContainEqual([
    "portrait",
    "ghost: the ghost on the card shows the same face; a forgery of both fits too",
  ]);
  expect(rowsWith({})?.map(([name]) => name)).toEqual(["result", "reason"]);
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
