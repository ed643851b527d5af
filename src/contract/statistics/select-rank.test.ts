import fc from "fast-check";
import { expect, it } from "vitest";
import { selectRank } from "./select-rank.ts";

it("finds the value that a sort puts at the rank, among the counted values alone", () => {
  const level = fc.oneof(fc.integer({ min: 0, max: 3 }), fc.double({ noNaN: true }));
  fc.assert(
    fc.property(fc.array(level, { minLength: 1, maxLength: 40 }), fc.nat(39), (levels, wish) => {
      const rank = wish % levels.length;
      const values = Float64Array.of(...levels, -Infinity, Infinity);
      const expected = Float64Array.from(levels).toSorted()[rank];
      expect(selectRank(values, levels.length, rank) === expected).toBe(true);
      expect([...values.subarray(levels.length)]).toEqual([-Infinity, Infinity]);
    }),
  );
});
