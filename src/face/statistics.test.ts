import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { areaUnderCurve, countBelow, rateOf, thresholdAt } from "./statistics.ts";

describe("rateOf", () => {
  it("gives the exact bounds of published tables", () => {
    expect(rateOf(0, 100).high).toBeCloseTo(0.0362, 4);
    expect(rateOf(100, 100).low).toBeCloseTo(0.9638, 4);
    expect(rateOf(10, 100).low).toBeCloseTo(0.049, 4);
    expect(rateOf(10, 100).high).toBeCloseTo(0.1762, 4);
  });

  it("keeps the rate within its bounds", () => {
    const counts = fc
      .integer({ min: 1, max: 5000 })
      .chain((n) => fc.tuple(fc.integer({ min: 0, max: n }), fc.constant(n)));
    fc.assert(
      fc.property(counts, ([events, n]) => {
        const { rate, low, high } = rateOf(events, n);
        return low <= rate && rate <= high && low >= 0 && high <= 1;
      }),
    );
  });

  it("knows nothing from nothing", () => {
    expect(rateOf(0, 0)).toEqual({ rate: Number.NaN, low: 0, high: 1, n: 0 });
  });
});

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
  it("lets at most the asked share of impostors pass", () => {
    const impostors = Float64Array.from({ length: 1000 }, (_, i) => i);
    const threshold = thresholdAt(impostors, 0.01);
    expect(impostors.length - countBelow(impostors, threshold, true)).toBe(10);
  });
});
