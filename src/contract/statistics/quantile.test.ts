import { expect, it } from "vitest";
import { quantile, upperMedian } from "./quantile.ts";

it("takes quantiles by nearest rank", () => {
  const values = [5, 1, 4, 2, 3];
  expect([0, 0.5, 0.99, 1].map((share) => quantile(values, share))).toEqual([1, 3, 5, 5]);
});

it("has no quantile without values", () => {
  expect(quantile([], 0.5)).toBeUndefined();
});

it("takes the larger of two middle values, and does not change its input", () => {
  const values = [4, 1, 3, 2];
  expect([upperMedian(values), upperMedian([2, 9, 5]), values[0]]).toEqual([3, 5, 4]);
});
