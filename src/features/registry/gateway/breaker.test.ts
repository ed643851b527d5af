import { describe, expect, it } from "vitest";
import { breakerPolicy, makeBreaker, type QuestionEnd } from "./breaker.ts";

const open = () => {
  let now = 1_000_000;
  const breaker = makeBreaker(() => now);
  const enter = () => breaker.enter();
  return {
    wait: (ms: number): void => {
      now += ms;
    },
    enter,
    /** Whether the question was let through. */
    ask: (how: QuestionEnd): boolean => {
      const permit = enter();
      if ("pausedMs" in permit) return false;
      permit.end(how);
      return true;
    },
    pausedMs: (): number | undefined => {
      const permit = enter();
      return "pausedMs" in permit ? permit.pausedMs : undefined;
    },
  };
};

describe("the breaker of a registry", () => {
  it("opens with the fifth failure in a row, for its pause", () => {
    const { ask, pausedMs, wait } = open();
    for (let n = 0; n < breakerPolicy.failuresMax - 1; n++) expect(ask("failed")).toBe(true);
    expect(ask("answered")).toBe(true);
    for (let n = 0; n < breakerPolicy.failuresMax; n++) expect(ask("failed")).toBe(true);
    expect(pausedMs()).toBe(breakerPolicy.pauseMs);
    wait(breakerPolicy.pauseMs - 1);
    expect(pausedMs()).toBe(1);
    wait(1);
    expect(ask("answered")).toBe(true);
  });

  it("opens with half of ten questions failed, and not with four of nine", () => {
    const { ask, pausedMs } = open();
    for (let n = 0; n < 4; n++) {
      ask("failed");
      ask("answered");
    }
    ask("answered");
    expect(pausedMs()).toBeUndefined();
    ask("failed");
    expect(pausedMs()).toBe(breakerPolicy.pauseMs);
  });

  it("forgets what is older than its period", () => {
    const { ask, pausedMs, wait } = open();
    for (let n = 0; n < 4; n++) {
      ask("failed");
      ask("answered");
    }
    ask("answered");
    wait(breakerPolicy.periodMs + 1_000);
    ask("failed");
    expect(pausedMs()).toBeUndefined();
  });

  it("lets one probe through: a failure pauses again, an answer closes it, a caller who leaves gives way", () => {
    const { ask, enter, pausedMs, wait } = open();
    for (let n = 0; n < breakerPolicy.failuresMax; n++) ask("failed");
    wait(breakerPolicy.pauseMs);
    const probe = enter();
    expect(pausedMs()).toBe(1_000);
    if ("end" in probe) probe.end("failed");
    expect(pausedMs()).toBe(breakerPolicy.pauseMs);
    wait(breakerPolicy.pauseMs);
    expect(ask("left")).toBe(true);
    expect(ask("answered")).toBe(true);
    for (let n = 0; n < breakerPolicy.failuresMax - 1; n++) expect(ask("failed")).toBe(true);
    expect(pausedMs()).toBeUndefined();
  });

  it("does not count a question from before its pause", () => {
    const { ask, enter, pausedMs } = open();
    const early = enter();
    for (let n = 0; n < breakerPolicy.failuresMax; n++) ask("failed");
    if ("end" in early) early.end("answered");
    expect(pausedMs()).toBe(breakerPolicy.pauseMs);
  });
});
