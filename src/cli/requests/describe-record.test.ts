import { expect, it } from "vitest";
import { makeCheck } from "#contract/make-check";
import { showTransactionRoute } from "#contract/transaction.routes";
import { describeRecord } from "./describe-record.ts";

const shownRecord = makeCheck(showTransactionRoute.response);

const record = {
  timestamp: "2026-11-26T10:00:01.000Z",
  transactionId: "2db602ee-3564-4304-af95-92a52eaae12d",
  endpoint: "documentValidation",
  at: "2026-11-26T10:00:00.000Z",
  environment: "test",
  keyId: "6f1c2a34",
  result: { code: 9103, reasonCode: 204, others: [] },
  measurements: {
    ms: 812,
    sides: [{ quality: { sharpness: 0.123456 } }],
    findings: [
      {
        name: "front-picture-poor",
        holds: true,
        code: 204,
        evidence: { shortSidePx: 640, shortSidePxMin: 720 },
      },
      { name: "front-cut", holds: "unknown", code: 614, evidence: {} },
      { name: "age-too-low" },
      { name: "type-differs", holds: false, code: 602, evidence: {} },
    ],
  },
  policyVersion: "document-3",
  models: { facemesh: "ab" },
} as const;

it("a record tells result, findings with figures and limits, times, measurements and models", () => {
  expect(shownRecord.Check(record)).toBe(true);
  if (!shownRecord.Check(record)) throw new Error("not a record");
  expect(describeRecord(record)).toEqual([
    "documentValidation 2db602ee-3564-4304-af95-92a52eaae12d",
    "received 2026-11-26T10:00:00.000Z, test, key 6f1c2a34",
    "policy document-3",
    "",
    "Result",
    "  code        9103 Resubmission",
    "  reasonCode  204",
    "  others      []",
    "",
    "Findings that hold",
    "  front-picture-poor  204, shortSidePx 640, shortSidePxMin 720",
    "",
    "Findings without an answer",
    "  front-cut  614",
    "",
    "Measurements",
    "  ms                         812",
    "  sides.0.quality.sharpness  0.1235",
    "",
    "Models",
    "  facemesh  ab",
  ]);
});

it.each([
  [1.1e-6, "0.0000011"],
  [-1.234e-6, "-0.0000012"],
  [0.00099949, "0.001"],
  [0.0004567, "0.00046"],
  [0.001, "0.001"],
  [0.0010049, "0.001"],
  [0.12345, "0.1235"],
  [0, "0"],
])("the figure %s is shown as %s", (falseMatchRate, shown) => {
  const compared = { ...record, measurements: { falseMatchRate } };
  if (!shownRecord.Check(compared)) throw new Error("not a record");
  expect(describeRecord(compared)).toContain(`  falseMatchRate  ${shown}`);
});

it("a record without measurements says why", () => {
  const bare = { ...record, measurements: null, models: {} };
  if (!shownRecord.Check(bare)) throw new Error("not a record");
  expect(describeRecord(bare).at(-1)).toBe(
    "No measurement is kept: the call has none, its retention has ended, or its keys are destroyed.",
  );
});
