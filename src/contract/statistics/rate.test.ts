import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { rateOf } from "./rate.ts";

describe("rateOf", () => {
  it("gives the exact bounds of published tables", () => {
    expect(rateOf(0, 100).high).toBeCloseTo(0.0362, 4);
    expect(rateOf(100, 100).low).toBeCloseTo(0.9638, 4);
    expect(rateOf(10, 100).low).toBeCloseTo(0.049, 4);
    expect(rateOf(10, 100).high).toBeCloseTo(0.1762, 4);
  });

  it.each([
    [0, 33, 0, 0.1058],
    [33, 33, 0.8942, 1],
    [0, 300, 0, 0.0122],
    [98, 125, 0.7015, 0.853],
    [73, 80, 0.828, 0.964],
  ])("bounds %d of %d as published tables do", (events, n, low, high) => {
    const rate = rateOf(events, n);
    expect(rate.low).toBeCloseTo(low, 2);
    expect(rate.high).toBeCloseTo(high, 2);
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

  it("has no rate and the widest bounds without comparisons", () => {
    expect(rateOf(0, 0)).toEqual({ rate: Number.NaN, low: 0, high: 1, n: 0 });
  });
});
