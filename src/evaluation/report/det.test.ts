import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { detPoints, histogram, probit } from "./det.ts";

describe("detPoints", () => {
  const genuine = Float64Array.from([2, 3, 4, 5]);
  const impostor = Float64Array.from([0, 1, 2, 3]);

  it("goes from accepting every pair to accepting only the best", () => {
    const points = detPoints(genuine, impostor, 6);
    expect(points.map(({ threshold }) => threshold)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(points.map(({ fmr }) => fmr)).toEqual([1, 0.75, 0.5, 0.25, 0, 0]);
    expect(points.map(({ fnmr }) => fnmr)).toEqual([0, 0, 0, 0.25, 0.5, 0.75]);
  });

  it("has no point without scores of both kinds", () => {
    expect(detPoints(genuine, new Float64Array(), 5)).toEqual([]);
  });
});

it("distributes all values over the bins of a histogram", () => {
  const values = fc.array(fc.double({ min: -9, max: 9, noNaN: true }), { minLength: 1 });
  fc.assert(
    fc.property(values, (numbers) => {
      const shares = histogram(Float64Array.from(numbers), -3, 3, 7);
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(1, 9);
    }),
  );
  expect(histogram(Float64Array.from([-5, 0, 0.5, 5]), 0, 1, 2)).toEqual([0.5, 0.5]);
});

it.each([
  [0.5, 0],
  [0.975, 1.959964],
  [0.001, -3.090232],
  [1e-6, -4.753424],
])("returns the normal deviate of %d", (share, deviate) => {
  expect(probit(share)).toBeCloseTo(deviate, 4);
});
