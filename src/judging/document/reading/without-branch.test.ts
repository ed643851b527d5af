import fc from "fast-check";
import { expect, it } from "vitest";
import { larger, smaller } from "./without-branch.ts";

it("gives the smaller and the larger of two whole numbers", () => {
  const number = fc.integer({ min: -(2 ** 30), max: 2 ** 30 - 1 });
  fc.assert(
    fc.property(number, number, (a, b) => {
      expect([smaller(a, b), larger(a, b)]).toEqual([Math.min(a, b), Math.max(a, b)]);
    }),
  );
});
