import { describe, expect, it } from "vitest";
import { anOperationStep } from "#support/storage/suite";
import type { TrackCall } from "./operation-step.ts";
import { makeRecordCall, type RecordedCall, stepOf, transactionOf } from "./record-call.ts";

const call: RecordedCall = {
  caller: { tenantId: "t", keyId: "k", environment: "test" },
  transactionId: "x",
  receivedAt: new Date(1),
  tracking: { operationId: "op-1", extraData: "QUJD" },
};
const entry = { endpoint: "identity", result: { facial: 3 }, measurements: null, policyVersion: "1" };
const record = {
  ...entry,
  id: "x",
  tenantId: "t",
  keyId: "k",
  environment: "test",
  at: call.receivedAt,
  models: {},
  tokenHashes: [],
};
const evidence = [{ id: "e", kind: "enrolment_refused", at: new Date(2), body: {} }];
const operation = anOperationStep("op-1");
const uses = [{ hash: "ab", expiresAt: new Date(3) }];

describe("a transaction record", () => {
  it("holds the caller, the time and the result; no model and no token by default", () => {
    expect(transactionOf(call, entry)).toEqual(record);
  });

  it("holds the models, and of a token the hash alone", () => {
    const token = { hash: "cd", payload: new Uint8Array(1) };
    const made = transactionOf(call, { ...entry, models: { m: "1" }, tokens: [token] });
    expect(made).toEqual({ ...record, models: { m: "1" }, tokenHashes: ["cd"] });
  });

  it("holds the name of the calling application beside the result numbers, where it was sent", () => {
    const result = { facial: 3, app: "Bank é" };
    expect(transactionOf({ ...call, appName: "Bank é" }, entry)).toEqual({ ...record, result });
  });

  it("stores nothing of the tracking in the record", () => {
    expect(JSON.stringify(transactionOf(call, entry))).not.toMatch(/op-1|QUJD|tracking/);
  });
});

describe("a step", () => {
  it("has neither operation nor evidence unless they are given", () => {
    expect(stepOf()).toEqual({ evidence: [] });
    expect(stepOf({ evidence, operation: undefined })).toEqual({ evidence });
    expect(stepOf({ evidence, operation })).toEqual({ evidence, operation });
  });
});

describe("recording a call", () => {
  const written: unknown[][] = [];
  const write = async (...args: unknown[]): Promise<void> => {
    written.push(args);
  };
  const store = { recordTransaction: write, recordAnswered: write };
  const untracked: TrackCall = async () => undefined;
  const recordCall = makeRecordCall(store, untracked);
  let tracked: unknown[] = [];
  const tracking = makeRecordCall(store, async (...args) => {
    tracked = args;
    return operation;
  });

  it("writes record, token uses and step in one command", async () => {
    await recordCall(call, entry);
    await recordCall(call, { ...entry, uses, evidence });
    expect(written).toEqual([
      [record, [], { evidence: [] }],
      [record, uses, { evidence }],
    ]);
  });

  it("commits the step of the operation that the call names", async () => {
    await tracking(call, { ...entry, operationDetails: { customer: "c" } });
    expect(written.at(-1)).toEqual([record, [], { evidence: [], operation }]);
    expect(tracked).toEqual([call, "identity", { customer: "c" }]);
  });

  it("fails as the store does", async () => {
    const fail = () => Promise.reject(new Error("no store"));
    const broken = makeRecordCall({ recordTransaction: fail, recordAnswered: fail }, untracked);
    await expect(broken(call, entry)).rejects.toThrow("no store");
  });
});

it("counts the plain images that stand in the place of tokens", () => {
  const resultOf = (...sealed: readonly boolean[]) =>
    transactionOf(call, { ...entry, tokens: sealed.map((isSealed) => ({ hash: "ab", isSealed })) }).result;
  expect(resultOf(true, true)).toEqual({ facial: 3 });
  expect(resultOf(true, false)).toEqual({ facial: 3, unsealed: 1 });
  expect(resultOf(false, false)).toEqual({ facial: 3, unsealed: 2 });
});
