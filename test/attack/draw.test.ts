import { expect, it } from "vitest";
import { makeDraw } from "./draw.ts";

const some = (seed: number, number: number) => {
  const draw = makeDraw(seed, number);
  return [draw.int(0, 1e6), draw.size(1, 1e6), draw.pick(["a", "b", "c"]), draw.bytes(8).toString("hex")];
};

it("repeats a case from its seed and number, and draws others for other numbers", () => {
  expect(some(7, 3)).toEqual(some(7, 3));
  expect(new Set([some(7, 3), some(7, 4), some(8, 3)].map(String)).size).toBe(3);
});

it("stays within its bounds and reaches both", () => {
  const draw = makeDraw(1, 1);
  const [whole, sizes] = [() => draw.int(2, 4), () => draw.size(1, 3)].map((next) =>
    Array.from({ length: 300 }, next),
  );
  expect(new Set(whole)).toEqual(new Set([2, 3, 4]));
  expect(new Set(sizes)).toEqual(new Set([1, 2, 3]));
});
