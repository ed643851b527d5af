import { describe, expect, it } from "vitest";
import { fmrAtScore, scoreAtFmr } from "./calibration.ts";
import { cosineOfScore, findCrooked, scoreOfCosine } from "./cosine-scale.ts";

const points = [
  { falseMatchRate: 1e-1, cosine: 0.2 },
  { falseMatchRate: 1e-2, cosine: 0.32 },
  { falseMatchRate: 1e-3, cosine: 0.4 },
  { falseMatchRate: 1e-4, cosine: 0.46 },
];

describe("a scale of cosines", () => {
  it("gives a cosine the score at which the bundled pair has the same false-match rate", () => {
    for (const { falseMatchRate, cosine } of points) {
      expect(scoreOfCosine(points, cosine)).toBeCloseTo(scoreAtFmr(falseMatchRate), 9);
    }
    expect(fmrAtScore(scoreOfCosine(points, 0.36))).toBeCloseTo(10 ** -2.5, 9);
  });

  it("rises strictly from opposite to equal faces, and is undone by its inverse", () => {
    let before = Number.NEGATIVE_INFINITY;
    for (let cosine = -1; cosine <= 1; cosine += 0.01) {
      const score = scoreOfCosine(points, cosine);
      expect(score).toBeGreaterThan(before);
      expect(cosineOfScore(points, score)).toBeCloseTo(cosine, 9);
      before = score;
    }
  });

  it("promises beyond what was counted no more than the flatter of the last piece and the whole", () => {
    const wholeSlope = 3 / 0.26;
    const rate = Math.log10(fmrAtScore(scoreOfCosine(points, 0.56)));
    expect(rate).toBeCloseTo(-4 - 0.1 * wholeSlope, 6);
  });

  it("is made of rising cosines of falling rates alone", () => {
    expect(findCrooked(points)).toBeUndefined();
    expect(findCrooked(points.slice(0, 1))).toMatch(/two points/);
    expect(findCrooked(points.toReversed())).toMatch(/do not rise/);
    expect(findCrooked([...points, { falseMatchRate: 1e-5, cosine: 0.46 }])).toMatch(/do not rise/);
    expect(findCrooked([...points, { falseMatchRate: 1e-5, cosine: 1 }])).toMatch(/do not rise/);
  });
});
