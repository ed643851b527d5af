import { expect, it } from "vitest";
import { ramp } from "./ramp.ts";

it.each([
  [-5, 1],
  [0, 1],
  [1, 2],
  [2, 3],
  [3, 1],
  [9, -1],
  [Number.NaN, 1],
])("interpolates %d to %d and stays flat beyond its ends", (value, expected) => {
  expect(
    ramp(value, [
      [0, 1],
      [2, 3],
      [4, -1],
    ]),
  ).toBe(expected);
});
