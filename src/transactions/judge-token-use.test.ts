import { describe, expect, it } from "vitest";
import { firstUse, judgeTokenUse } from "./judge-token-use.ts";
import type { TokenUse } from "./record.ts";

const at = (ms: number): Date => new Date(1_000_000 + ms);
const use = (call: string, operation?: string, ms = 0): TokenUse => ({
  hash: "ab",
  expiresAt: at(1000),
  shared: {
    call,
    environment: "test",
    at: at(ms),
    openUntil: at(600),
    ...(operation !== undefined && { operation }),
  },
});
const alone: TokenUse = { hash: "ab", expiresAt: at(1000) };

describe("a token that one operation may use", () => {
  it("serves calls of other kinds of that operation, each once", () => {
    const first = firstUse(use("liveness", "a"));
    const second = judgeTokenUse(first, use("identity", "a"));
    expect(second).toEqual({
      calls: ["liveness", "identity"],
      environment: "test",
      operation: "a",
      openUntil: at(600),
    });
    expect(judgeTokenUse(second!, use("authenticateUser", "a"))?.calls).toHaveLength(3);
    expect(judgeTokenUse(second!, use("liveness", "a"))).toBeUndefined();
    expect(judgeTokenUse(second!, use("identity", "a"))).toBeUndefined();
  });

  it("is refused to another operation, and to a call that names none", () => {
    const first = firstUse(use("liveness", "a"));
    expect(judgeTokenUse(first, use("identity", "b"))).toBeUndefined();
    expect(judgeTokenUse(first, use("identity"))).toBeUndefined();
  });

  it("has no end before that of the token itself", () => {
    expect(judgeTokenUse(firstUse(use("liveness", "a")), use("identity", "a", 601))).toBeDefined();
  });
});

describe("a token whose first call names no operation", () => {
  it("serves calls of other kinds until its time is over, and not a millisecond longer", () => {
    const first = firstUse(use("liveness"));
    expect(judgeTokenUse(first, use("identity", undefined, 600))).toBeDefined();
    expect(judgeTokenUse(first, use("identity", undefined, 601))).toBeUndefined();
  });

  it("is bound to the first operation that a later call names", () => {
    const second = judgeTokenUse(firstUse(use("liveness")), use("identity", "a"));
    expect(second?.operation).toBe("a");
    expect(judgeTokenUse(second!, use("authenticateUser", "b"))).toBeUndefined();
    expect(judgeTokenUse(second!, use("authenticateUser"))).toBeUndefined();
    expect(judgeTokenUse(second!, use("authenticateUser", "a"))).toBeDefined();
  });
});

it("a token is refused to the other environment", () => {
  const live = use("identity");
  const inLive = { ...live, shared: { ...live.shared!, environment: "live" as const } };
  expect(judgeTokenUse(firstUse(use("liveness")), inLive)).toBeUndefined();
  expect(judgeTokenUse(firstUse(inLive), use("liveness"))).toBeUndefined();
});

it("a token that one call alone may use is refused to every other call", () => {
  expect(judgeTokenUse(firstUse(alone), alone)).toBeUndefined();
  expect(judgeTokenUse(firstUse(alone), use("identity"))).toBeUndefined();
  expect(judgeTokenUse(firstUse(use("liveness")), alone)).toBeUndefined();
});
