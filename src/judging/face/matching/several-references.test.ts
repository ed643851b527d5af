import fc from "fast-check";
import { expect, it } from "vitest";
import { fmrAtScore, similarityOf } from "./calibration.ts";
import { joinComparisons } from "./several-references.ts";

const comparisonOf = (score: number) => ({
  score,
  similarity: similarityOf(score),
  falseMatchRate: fmrAtScore(score),
  cosines: [score / 10],
});
const score = fc.double({ min: -2, max: 6, noNaN: true });

it("leaves the comparison with one reference as it is", () => {
  const only = comparisonOf(3.2);
  expect(joinComparisons(only, [])).toBe(only);
});

it("takes the middle between the best and the mean score, less what several chances give", () => {
  const joined = joinComparisons(comparisonOf(3), [comparisonOf(4), comparisonOf(2)]);
  expect(joined.score).toBeCloseTo((4 + 3) / 2 - 0.03, 12);
  expect(joined).toMatchObject({
    similarity: similarityOf(joined.score),
    falseMatchRate: fmrAtScore(joined.score),
    cosines: [0.3],
  });
});

it("rises with each score, and depends on no order", () => {
  fc.assert(
    fc.property(score, score, score, fc.double({ min: 0.01, max: 1, noNaN: true }), (a, b, c, more) => {
      const of = (...all: readonly [number, number, number]) =>
        joinComparisons(comparisonOf(all[0]), [comparisonOf(all[1]), comparisonOf(all[2])]).score;
      expect(of(a, b, c)).toBeCloseTo(of(c, a, b), 9);
      expect(of(a, b, c + more)).toBeGreaterThan(of(a, b, c));
      expect(of(a, b, c)).toBeLessThan(Math.max(a, b, c));
    }),
  );
});
