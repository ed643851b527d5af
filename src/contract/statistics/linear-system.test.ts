import { describe, expect, it } from "vitest";
import { solveLinear } from "./linear-system.ts";

const rows = (...values: readonly (readonly number[])[]) => values.map((row) => Float64Array.from(row));

describe("a linear system", () => {
  it("is solved also where its first pivot is 0", () => {
    const found = solveLinear(rows([0, 2, 1, 7], [1, 1, 0, 3], [3, 0, -1, 0]));
    expect([...found!]).toEqual([1, 2, 3].map((value) => expect.closeTo(value, 12)));
  });

  it("without one solution has none", () => {
    expect(solveLinear(rows([1, 2, 3], [2, 4, 6]))).toBeUndefined();
    expect(solveLinear(rows([Number.NaN, 1, 1], [1, 1, 1]))).toBeUndefined();
  });
});
