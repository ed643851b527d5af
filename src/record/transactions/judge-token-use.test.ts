import { describe, expect, it } from "vitest";
import {
  firstUse,
  judgeTokenUse,
  refusalTexts,
  type TokenUseRefusal,
  type UsedToken,
} from "./judge-token-use.ts";
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
const usedAfter = (used: UsedToken, next: TokenUse): UsedToken => {
  const judged = judgeTokenUse(used, next);
  if ("refused" in judged) throw new Error(judged.refused);
  return judged.used;
};
const refused = (reason: TokenUseRefusal) => ({ refused: reason });

describe("a token that one operation may use", () => {
  it("serves calls of other kinds of that operation, each once", () => {
    const first = firstUse(use("liveness", "a"));
    const second = usedAfter(first, use("identity", "a"));
    expect(second).toEqual({
      calls: ["liveness", "identity"],
      environment: "test",
      operation: "a",
      openUntil: at(600),
    });
    expect(usedAfter(second, use("authenticateUser", "a")).calls).toHaveLength(3);
    expect(judgeTokenUse(second, use("liveness", "a"))).toEqual(refused("same-kind"));
    expect(judgeTokenUse(second, use("identity", "a"))).toEqual(refused("same-kind"));
  });

  it("is refused to another operation, and to a call that names none", () => {
    const first = firstUse(use("liveness", "a"));
    expect(judgeTokenUse(first, use("identity", "b"))).toEqual(refused("other-operation"));
    expect(judgeTokenUse(first, use("identity"))).toEqual(refused("no-operation"));
  });

  it("is refused for its operation before its kind: another operation has no use of it at all", () => {
    const first = firstUse(use("liveness", "a"));
    expect(judgeTokenUse(first, use("liveness", "b"))).toEqual(refused("other-operation"));
    expect(judgeTokenUse(first, use("liveness"))).toEqual(refused("no-operation"));
  });

  it("has no end before that of the token itself", () => {
    expect(judgeTokenUse(firstUse(use("liveness", "a")), use("identity", "a", 601))).toHaveProperty("used");
  });
});

describe("a token whose first call names no operation", () => {
  it("serves calls of other kinds until its time is over, and not a millisecond longer", () => {
    const first = firstUse(use("liveness"));
    expect(judgeTokenUse(first, use("identity", undefined, 600))).toHaveProperty("used");
    expect(judgeTokenUse(first, use("identity", undefined, 601))).toEqual(refused("too-late"));
    expect(judgeTokenUse(first, use("identity", "a", 601))).toEqual(refused("too-late"));
    expect(judgeTokenUse(first, use("liveness", undefined, 601))).toEqual(refused("same-kind"));
  });

  it("is bound to the first operation that a later call names", () => {
    const second = usedAfter(firstUse(use("liveness")), use("identity", "a"));
    expect(second.operation).toBe("a");
    expect(judgeTokenUse(second, use("authenticateUser", "b"))).toEqual(refused("other-operation"));
    expect(judgeTokenUse(second, use("authenticateUser"))).toEqual(refused("no-operation"));
    expect(judgeTokenUse(second, use("authenticateUser", "a"))).toHaveProperty("used");
  });
});

it("a token is refused to the other environment", () => {
  const live = use("identity");
  const inLive = { ...live, shared: { ...live.shared!, environment: "live" as const } };
  expect(judgeTokenUse(firstUse(use("liveness")), inLive)).toEqual(refused("other-environment"));
  expect(judgeTokenUse(firstUse(inLive), use("liveness"))).toEqual(refused("other-environment"));
});

it("a token that one call alone may use is refused to every other call", () => {
  expect(judgeTokenUse(firstUse(alone), alone)).toEqual(refused("one-call"));
  expect(judgeTokenUse(firstUse(alone), use("identity"))).toEqual(refused("one-call"));
  expect(judgeTokenUse(firstUse(use("liveness")), alone)).toEqual(refused("one-call"));
});

it("every refusal has words of its own for the caller", () => {
  const texts = Object.values(refusalTexts);
  expect(new Set(texts).size).toBe(texts.length);
});
