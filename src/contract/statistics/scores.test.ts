import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areaUnderCurve, countBelow, thresholdAt } from "./scores.ts";

describe("areaUnderCurve", () => {
  it("equals the count over all pairs", () => {
    const scores = fc.array(fc.integer({ min: 0, max: 20 }), { minLength: 1, maxLength: 30 });
    fc.assert(
      fc.property(scores, scores, (high, low) => {
        const wins = high.flatMap((h) => low.map((l) => (h > l ? 1 : h === l ? 0.5 : 0)));
        const expected = wins.reduce<number>((sum, win) => sum + win, 0) / wins.length;
        expect(areaUnderCurve(Float64Array.from(high), Float64Array.from(low))).toBeCloseTo(expected, 10);
      }),
    );
  });
});

describe("thresholdAt", () => {
  it("accepts at most the requested share of impostors", () => {
    const impostors = Float64Array.from({ length: 1000 }, (_, i) => i);
    const threshold = thresholdAt(impostors, 0.01);
    expect(impostors.length - countBelow(impostors, threshold, true)).toBe(10);
  });
});
