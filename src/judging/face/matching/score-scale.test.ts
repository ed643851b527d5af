import { array, assert, double, property, tuple } from "fast-check";
import { describe, expect, it } from "vitest";
import { fmrAtScore, scoreAtFmr } from "./calibration.ts";
import { findCrooked, scoreOfValue, valueOfScore } from "./score-scale.ts";

const points = [
  { falseMatchRate: 1e-1, value: 0.2 },
  { falseMatchRate: 1e-2, value: 0.32 },
  { falseMatchRate: 1e-3, value: 0.4 },
  { falseMatchRate: 1e-4, value: 0.46 },
];

describe("a scale of a recogniser's values", () => {
  it("gives a value the score with the same false match rate", () => {
    for (const { falseMatchRate, value } of points) {
      expect(scoreOfValue(points, value)).toBeCloseTo(scoreAtFmr(falseMatchRate), 9);
    }
    expect(fmrAtScore(scoreOfValue(points, 0.36))).toBeCloseTo(10 ** -2.5, 9);
  });

  it("rises strictly from opposite to equal faces, and its inverse reverses it", () => {
    let before = Number.NEGATIVE_INFINITY;
    for (let value = -1; value <= 1; value += 0.01) {
      const score = scoreOfValue(points, value);
      expect(score).toBeGreaterThan(before);
      expect(valueOfScore(points, score)).toBeCloseTo(value, 9);
      before = score;
    }
  });

  it("extrapolates with the flatter slope of the last piece and the whole scale", () => {
    const wholeSlope = 3 / 0.26;
    const rate = Math.log10(fmrAtScore(scoreOfValue(points, 0.56)));
    expect(rate).toBeCloseTo(-4 - 0.1 * wholeSlope, 6);
  });

  it("accepts only rising values with falling rates", () => {
    expect(findCrooked(points)).toBeUndefined();
    expect(findCrooked(points.slice(0, 1))).toMatch(/two points/);
    expect(findCrooked(points.toReversed())).toMatch(/do not rise/);
    expect(findCrooked([...points, { falseMatchRate: 1e-5, value: 0.46 }])).toMatch(/do not rise/);
    expect(findCrooked([...points, { falseMatchRate: 1e-5, value: 1 }])).toMatch(/do not rise/);
    expect(findCrooked([...points, { falseMatchRate: 1e-5, value: 1 }], 10)).toBeUndefined();
  });

  it("rises and has an inverse for any counted points, on any axis", () => {
    const steps = array(
      tuple(double({ min: 0.05, max: 3, noNaN: true }), double({ min: 0.05, max: 2, noNaN: true })),
      {
        minLength: 1,
        maxLength: 8,
      },
    );
    const values = tuple(
      double({ min: -6, max: 6, noNaN: true }),
      double({ min: 0.01, max: 3, noNaN: true }),
    );
    assert(
      property(steps, values, (rises, [value, more]) => {
        const counted = rises.reduce(
          (before, [up, decades]) => {
            const last = before.at(-1)!;
            const falseMatchRate = last.falseMatchRate * 10 ** -decades;
            return [...before, { falseMatchRate, value: last.value + up }];
          },
          [{ falseMatchRate: 0.5, value: -1 }],
        );
        expect(findCrooked(counted, 100)).toBeUndefined();
        const score = scoreOfValue(counted, value);
        expect(scoreOfValue(counted, value + more)).toBeGreaterThan(score);
        expect(valueOfScore(counted, score)).toBeCloseTo(value, 6);
      }),
    );
  });
});
