import { describe, expect, it } from "vitest";
import { normalDeviate, seededRandom } from "../../../src/contract/statistics/random.ts";
import { type Example, fitLogistic } from "./logistic.ts";

const size = 24;
const random = seededRandom(3);

/** A vector of unit length; the classes differ by a shift along its first two numbers. */
const drawExample = (isPositive: boolean): Example => {
  const raw = Array.from({ length: size }, (_, i) => normalDeviate(random) + (isPositive && i < 2 ? 4 : 0));
  const length = Math.hypot(...raw);
  return { vector: Float32Array.from(raw, (value) => value / length), isPositive, weight: 1 };
};

const drawExamples = (positive: number, negative: number): readonly Example[] => [
  ...Array.from({ length: positive }, () => drawExample(true)),
  ...Array.from({ length: negative }, () => drawExample(false)),
];

const rightShare = (
  examples: readonly Example[],
  isPositive: boolean,
  probe: ReturnType<typeof fitLogistic>,
) => {
  const judged = examples.filter((example) => example.isPositive === isPositive);
  const right = judged.filter(({ vector }) => {
    const odds = vector.reduce((sum, value, i) => sum + value * probe.weights[i]!, probe.bias);
    return odds > 0 === isPositive;
  });
  return right.length / judged.length;
};

describe("the fit of an eyewear probe", () => {
  it("separates unseen vectors, with any number of examples of one class", () => {
    const probe = fitLogistic(drawExamples(40, 400), 1e-4);
    const unseen = drawExamples(300, 300);
    expect(rightShare(unseen, true, probe)).toBeGreaterThan(0.9);
    expect(rightShare(unseen, false, probe)).toBeGreaterThan(0.9);
  });

  it("finds the separating direction, and a smaller weight under a larger penalty", () => {
    const examples = drawExamples(200, 200);
    const [free, held] = [fitLogistic(examples, 1e-4), fitLogistic(examples, 1)];
    const others = Math.max(...free.weights.subarray(2).map(Math.abs));
    expect(Math.min(free.weights[0]!, free.weights[1]!)).toBeGreaterThan(others);
    expect(Math.hypot(...held.weights)).toBeLessThan(Math.hypot(...free.weights) / 4);
  });
});
