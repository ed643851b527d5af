import { describe, expect, it } from "vitest";
import { sampleContent } from "#support/signing/evidence/bundle/sample-content";
import { compareRecords } from "./compare-records.ts";

const findings = (change: Parameters<typeof sampleContent>[0]) =>
  compareRecords(sampleContent(change)).map(({ place, finding }) => `${place}: ${finding}`);
const whole = sampleContent();

describe("rows of an operation against its entries", () => {
  it("as they were written have no fault", () => {
    expect(compareRecords(whole)).toEqual([]);
  });

  it("a result that was changed in its row is named by its transaction", () => {
    const transactions = whole.transactions.map((one) =>
      one.endpoint === "documentValidation" && one.record !== null
        ? { ...one, record: { ...one.record, result: { scanReference: "s1", code: 9001 } } }
        : one,
    );
    expect(findings({ transactions })).toEqual([
      "transaction t-document: its result is not that of entry 7 (document_decided) of the chain",
    ]);
  });

  it.each([
    ["facial", 1],
    ["liveness", 3],
  ])("a result %s that its sealed measurements do not state is named", (name, number) => {
    const transactions = whole.transactions.map((one) =>
      one.id === "t-face" && one.record !== null
        ? { ...one, record: { ...one.record, result: { facial: 3, liveness: 17, [name]: number } } }
        : one,
    );
    expect(findings({ transactions })).toEqual([
      "transaction t-face: its result is not that of its measurements",
    ]);
  });

  it("a removed call is named, unless lists were cut", () => {
    const transactions = whole.transactions.filter(({ id }) => id !== "t-document");
    const named = [
      "transaction t-document: entry 7 (document_decided) names it, and the operation does not hold it",
    ];
    expect(findings({ transactions })).toEqual(named);
    expect(findings({ transactions, isWhole: false })).toEqual([]);
  });

  it("a record that its retention removed is no fault", () => {
    expect(findings({ transactions: whole.transactions.map((one) => ({ ...one, record: null })) })).toEqual(
      [],
    );
  });

  it.each([
    ["state", { state: "SUCCEEDED" }],
    ["reason", { reason: null }],
    ["end", { endedBy: "t-other" }],
  ])("a changed %s of the operation is named", (_, change) => {
    expect(findings({ operation: { ...whole.operation, ...change } })).toEqual([
      "operation: its state, reason or end is not that of entry 9",
    ]);
  });

  it("an operation that is opened again, or whose end is in no entry, is named", () => {
    expect(findings({ operation: { ...whole.operation, state: "open" } })).toEqual([
      "operation: it is open, but entry 9 records its end",
    ]);
    const entries = whole.entries.filter(({ kind }) => kind !== "operation_ended");
    expect(findings({ entries })).toEqual([
      "operation: it has ended, and no entry of the chain records the end",
    ]);
    const removed = entries.map((entry) => ({ ...entry, body: null }));
    expect(findings({ entries: removed })).toEqual([]);
  });

  it("a missing event is named", () => {
    expect(findings({ events: whole.events.filter(({ sequence }) => sequence !== 2) })).toEqual([
      "event 3: event 2 is missing before it",
    ]);
  });
});
