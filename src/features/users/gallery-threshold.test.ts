import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { measuredFalseMatches, scoreAtRate, scoreForGallery } from "./gallery-threshold.ts";

const points = measuredFalseMatches;

describe("the score at a false-match rate", () => {
  it("equals the measured score at every measured point", () => {
    for (const { score, fmr } of points) {
      expect(scoreAtRate(points, fmr)).toBeCloseTo(score, 9);
    }
  });

  it("rises as the rate falls, within the measured points and beyond both ends", () => {
    const rate = fc.double({ min: 1e-12, max: 0.3, noNaN: true });
    fc.assert(
      fc.property(rate, rate, (a, b) => {
        const [low, high] = [Math.min(a, b), Math.max(a, b)];
        return scoreAtRate(points, low) >= scoreAtRate(points, high);
      }),
    );
  });

  it("beyond the last point, follows the line through the last two", () => {
    expect(scoreAtRate(points, 1e-8)).toBeCloseTo(4.57, 1);
  });
});

describe("the score for a gallery", () => {
  const scoreMin = 3.3;
  it("rises with the gallery size and with a lower FPIR, and is never below the one-to-one threshold", () => {
    const at = (size: number, fpir = 0.01) => scoreForGallery(points, { size, fpir, scoreMin });
    expect([at(0), at(1), at(100)]).toStrictEqual([scoreMin, scoreMin, scoreMin]);
    expect(at(10_000)).toBeGreaterThan(at(1000));
    expect(at(1_000_000)).toBeCloseTo(4.57, 2);
    expect(at(1_000_000, 0.1)).toBeLessThan(at(1_000_000, 0.01));
  });
});
