import { expect, it } from "vitest";
import { scoreAtFmr } from "./calibration.ts";
import { countedRateAt } from "./counted-rate.ts";

it("is that of the next counted score, and none above the highest counted rate", () => {
  expect([1e-6, 1e-4, 1e-3].map((rate) => countedRateAt(rate)?.oneIn)).toEqual([10_000, 10_000, 10_000]);
  expect([1.001e-3, 1e-2].map((rate) => countedRateAt(rate)?.oneIn)).toEqual([700, 700]);
  expect([1.001e-2, 0.5, 1].map(countedRateAt)).toEqual([undefined, undefined, undefined]);
});

it("states no rate below that of the score where it was counted", () => {
  // LFW, folds 1 to 5: 1e-4 at 3.30, 1.29e-3 at 2.832.
  expect(scoreAtFmr(1e-3)).toBeGreaterThan(3.3);
  expect(scoreAtFmr(1e-2)).toBeGreaterThanOrEqual(2.831);
});

it("stands at the scores that the comments name", () => {
  expect([1e-2, 1e-3].map((rate) => scoreAtFmr(rate).toFixed(2))).toEqual(["2.83", "3.53"]);
});
