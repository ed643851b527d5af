import { describe, expect, it } from "vitest";
import { openUseMs, usesOf } from "./use-best-image.ts";

const token = { hash: "ab", issuedAt: new Date(1000), isSealed: true };
const caller = { tenantId: "t", keyId: "k", environment: "test" } as const;
const receivedAt = new Date(5000);
const callOf = (operationId?: string) => ({
  caller,
  receivedAt,
  ...(operationId !== undefined && { tracking: { operationId } }),
});
const operationOf = (operationId?: string) =>
  usesOf({ uses: "operation", ageMs: 500 }, token, callOf(operationId), "identity")[0]?.shared?.operation;

describe("the use of a judged best image", () => {
  it("is remembered for as long as the image would be accepted, where a rule asks for it", () => {
    const use = { hash: "ab", expiresAt: new Date(1500) };
    expect(usesOf({ uses: "once", ageMs: 500 }, token, callOf(), "identity")).toEqual([use]);
    expect(usesOf({ uses: "many", ageMs: 500 }, token, callOf(), "identity")).toEqual([]);
    const openUntil = new Date(5000 + openUseMs);
    expect(usesOf({ uses: "operation", ageMs: 500 }, token, callOf(), "identity")).toEqual([
      { ...use, shared: { call: "identity", environment: "test", at: receivedAt, openUntil } },
    ]);
  });

  it("is not remembered of an open image of a test key, which protects nothing; of a live key it is", () => {
    const open = { ...token, isSealed: false };
    for (const uses of ["operation", "once"] as const) {
      expect(usesOf({ uses, ageMs: 500 }, open, callOf("a"), "identity")).toEqual([]);
      const live = { ...callOf("a"), caller: { ...caller, environment: "live" as const } };
      expect(usesOf({ uses, ageMs: 500 }, open, live, "identity")).toHaveLength(1);
    }
  });

  it("without an operation serves other calls for ten minutes, however old a token may be", () => {
    expect(openUseMs).toBe(600_000);
  });

  it("names its operation by a hash that differs for each operation and token", () => {
    const hashes = [operationOf("a"), operationOf("b")];
    expect(new Set(hashes).size).toBe(2);
    expect(hashes.every((hash) => /^[0-9a-f]{64}$/.test(hash ?? ""))).toBe(true);
    expect(operationOf("a")).toBe(hashes[0]);
    const other = usesOf({ uses: "operation", ageMs: 1 }, { ...token, hash: "cd" }, callOf("a"), "identity");
    expect(other[0]?.shared?.operation).not.toBe(hashes[0]);
    expect(operationOf()).toBeUndefined();
  });
});
