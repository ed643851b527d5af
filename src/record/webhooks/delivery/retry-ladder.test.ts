import { describe, expect, it } from "vitest";
import { judgeRetry, standardLadder } from "./retry-ladder.ts";

const at = new Date(1_790_000_000_000);
const pauseOf = (failures: number, random = 0.5, retryAfterMs?: number): number | undefined => {
  const next = judgeRetry({ failures, at, retryAfterMs }, random);
  return next && next.getTime() - at.getTime();
};

describe("the retry ladder", () => {
  it("has ten attempts within 75 hours and 35 minutes", () => {
    expect(standardLadder).toHaveLength(10);
    const sum = standardLadder.reduce((total, pause) => total + pause, 0);
    expect(sum).toBe((75 * 60 + 35) * 60_000 + 5_000);
  });

  it("starts with 5 seconds, ends after the tenth failure", () => {
    expect(pauseOf(1)).toBe(5_000);
    expect(pauseOf(2)).toBe(300_000);
    expect(pauseOf(9)).toBe(86_400_000);
    expect(pauseOf(10)).toBeUndefined();
  });

  it("varies each pause by a fifth", () => {
    expect(pauseOf(3, 0)).toBe(0.8 * 1_800_000);
    expect(pauseOf(3, 1)).toBe(1.2 * 1_800_000);
  });

  it("respects Retry-After from one to two times the pause", () => {
    expect(pauseOf(2, 0.5, 299_999)).toBe(300_000);
    expect(pauseOf(2, 0.5, 300_001)).toBe(300_001);
    expect(pauseOf(2, 0.5, 600_000)).toBe(600_000);
    expect(pauseOf(2, 0.5, 600_001)).toBe(600_000);
  });

  it("is replaced by the schedule of a destination", () => {
    const own = [0, 1_000];
    expect(judgeRetry({ failures: 1, at }, 0.5, own)?.getTime()).toBe(at.getTime() + 1_000);
    expect(judgeRetry({ failures: 2, at }, 0.5, own)).toBeUndefined();
  });
});
