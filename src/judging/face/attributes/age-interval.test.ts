import { describe, expect, it } from "vitest";
import { ageBands, ageIntervalOf } from "./age-interval.ts";

describe("the interval of an age estimate", () => {
  it("is that of its band, rounded outwards to whole years", () => {
    const bands = [
      { from: 20, to: 25, low: -8.8, high: 12 },
      { from: 25, to: 30, low: -30, high: 7.8 },
    ];
    expect(ageIntervalOf(20, bands)).toEqual({ from: 11, to: 32 });
    expect(ageIntervalOf(24.99, bands)).toEqual({ from: 16, to: 37 });
    expect(ageIntervalOf(25, bands)).toEqual({ from: 0, to: 33 });
  });

  it.each([-1, 0, 19.99, 70, 100, Number.NaN])("is absent where no band was measured: %d", (estimate) => {
    expect(ageIntervalOf(estimate)).toBeUndefined();
  });

  it("holds every estimate from 20 to under 70, and the estimate itself", () => {
    for (let estimate = 20; estimate < 70; estimate += 0.1) {
      const interval = ageIntervalOf(estimate);
      expect(interval?.from).toBeLessThan(estimate);
      expect(interval?.to).toBeGreaterThan(estimate);
    }
    for (const [i, { from }] of ageBands.entries()) expect(from).toBe(ageBands[i - 1]?.to ?? 20);
  });
});
