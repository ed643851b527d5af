import { expect, it } from "vitest";
import { shortNumber } from "./short-number.ts";

it.each([
  [0, "0"],
  [12, "12"],
  [0.12344, "0.1234"],
  [-0.12346, "-0.1235"],
  [0.001, "0.001"],
  [0.000999, "0.001"],
  [0.00012345, "0.00012"],
  [-2.3456e-7, "-2.3e-7"],
])("writes %f as %s", (value, text) => {
  expect(shortNumber(value)).toBe(text);
});
