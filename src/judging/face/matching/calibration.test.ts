import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { fmrAtScore, scoreAtFmr, scoreOf, similarityOf } from "./calibration.ts";

const scores = fc.double({ min: -12, max: 18, noNaN: true });

describe("calibration", () => {
  it("lowers the rate and raises the similarity with the score, within their bounds", () => {
    fc.assert(
      fc.property(scores, scores, (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        return (
          fmrAtScore(low) >= fmrAtScore(high) &&
          similarityOf(low) <= similarityOf(high) &&
          [fmrAtScore(a), similarityOf(a)].every((value) => value >= 0 && value <= 1)
        );
      }),
    );
  });

  it("inverts the rate and the similarity", () => {
    fc.assert(
      fc.property(fc.double({ min: -6, max: -0.01, noNaN: true }), (logRate) => {
        expect(Math.log10(fmrAtScore(scoreAtFmr(10 ** logRate)))).toBeCloseTo(logRate, 9);
      }),
    );
    fc.assert(
      fc.property(fc.double({ min: -2, max: 9, noNaN: true }), (score) => {
        expect(scoreOf(similarityOf(score))).toBeCloseTo(score, 5);
      }),
    );
  });

  // Worst of eight groups of UTKFace, of 4,950 pairs each (docs/measurements/fairness.md).
  it.each([
    [2, 0.0965],
    [2.3, 0.039],
    [2.6, 0.01455],
    [2.9, 0.00485],
    [3.2, 0.00222],
    [3.5, 0.00082],
  ])("claims more than the counted rate at %d, by 1.35 times within a quarter", (score, counted) => {
    expect(fmrAtScore(score)).toBeGreaterThan(counted);
    expect(Math.abs(Math.log(fmrAtScore(score) / counted / 1.35))).toBeLessThan(Math.log(1.25));
  });

  it("maps one similarity to one rate", () => {
    expect(similarityOf(scoreAtFmr(1e-2))).toBeCloseTo(0.5, 9);
    expect(similarityOf(scoreAtFmr(1e-3))).toBeCloseTo(0.725, 3);
    expect(similarityOf(scoreAtFmr(1e-4))).toBeCloseTo(0.875, 3);
    expect(fmrAtScore(30)).toBe(1e-6);
  });
});
