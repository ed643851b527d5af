import { describe, expect, it } from "vitest";
import { type BreakerWindow, judgeBreaker, noteRequest } from "./breaker.ts";

const at = (ms: number): Date => new Date(1_790_000_000_000 + ms);

const after = (outcomes: readonly ("failed" | "done")[], everyMs = 0): BreakerWindow =>
  outcomes.reduce<BreakerWindow>(
    (window, outcome, n) => noteRequest(window, outcome === "failed", at(n * everyMs)),
    [],
  );

const times = (count: number, outcome: "failed" | "done"): readonly (typeof outcome)[] =>
  Array.from({ length: count }, () => outcome);

describe("the breaker", () => {
  it("opens at the tenth failure, not at the ninth", () => {
    expect(judgeBreaker(after(times(9, "failed")))).toBe("closed");
    expect(judgeBreaker(after(times(10, "failed")))).toBe("open");
  });

  it("opens at 70 % failures, not below", () => {
    expect(judgeBreaker(after([...times(3, "done"), ...times(7, "failed")]))).toBe("open");
    expect(judgeBreaker(after([...times(4, "done"), ...times(6, "failed")]))).toBe("closed");
    expect(judgeBreaker(after([...times(31, "done"), ...times(69, "failed")]))).toBe("closed");
  });

  it("forgets requests after five minutes", () => {
    const nine = after(times(9, "failed"));
    expect(judgeBreaker(noteRequest(nine, true, at(285_000)))).toBe("open");
    expect(judgeBreaker(noteRequest(nine, true, at(310_000)))).toBe("closed");
  });

  it("takes the same memory for any number of requests", () => {
    expect(after(times(10_000, "done"), 100).length).toBeLessThanOrEqual(31);
  });
});
