import { expect, it } from "vitest";
import { quantile } from "./quantile.ts";

it("takes quantiles by nearest rank", () => {
  const values = [5, 1, 4, 2, 3];
  expect([0, 0.5, 0.99, 1].map((share) => quantile(values, share))).toEqual([1, 3, 5, 5]);
});

it("has no quantile of nothing", () => {
  expect(quantile([], 0.5)).toBeUndefined();
});
