import { expect, it } from "vitest";
import { normalDeviate, seededRandom } from "./random.ts";

const draw = (seed: number, next = seededRandom(seed)): readonly number[] =>
  Array.from({ length: 20_000 }, () => next());

const meanOf = (values: readonly number[]): number =>
  values.reduce((total, value) => total + value, 0) / values.length;

it("repeats for a seed and differs between seeds", () => {
  expect(draw(7)).toEqual(draw(7));
  expect(draw(7).slice(0, 5)).not.toEqual(draw(8).slice(0, 5));
});

it("fills [0, 1) evenly", () => {
  const values = draw(1);
  expect(values.every((value) => value >= 0 && value < 1)).toBe(true);
  const tenths = Array.from({ length: 10 }, (_, i) => values.filter((value) => Math.floor(value * 10) === i));
  // 2,000 in each; five standard deviations of a binomial are 212.
  expect(Math.max(...tenths.map(({ length }) => Math.abs(length - 2000)))).toBeLessThan(212);
});

it("draws normal deviates of mean 0 and deviation 1", () => {
  const random = seededRandom(2);
  const values = Array.from({ length: 20_000 }, () => normalDeviate(random));
  expect(Math.abs(meanOf(values))).toBeLessThan(0.04);
  expect(Math.abs(meanOf(values.map((value) => value * value)) - 1)).toBeLessThan(0.06);
});
