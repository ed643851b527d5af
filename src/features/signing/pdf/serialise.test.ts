import { expect, it } from "vitest";
import { sourceText } from "./serialise.ts";

it.each([
  [0, "0"],
  [-12, "-12"],
  [1e20, "100000000000000000000"],
  [1e21, "1000000000000000000000"],
  [-1e22, "-10000000000000000000000"],
  [0.5, "0.5"],
  [1e-7, "0.0000001"],
])("writes the number %d without an exponent, as a reader finds it again", (value, text) => {
  expect(sourceText({ kind: "number", value })).toBe(text);
  expect(Number.parseFloat(text)).toBe(value);
});

it("writes the largest number in digits alone", () => {
  const text = sourceText({ kind: "number", value: Number.MAX_VALUE });
  expect(text).toMatch(/^\d{309}$/);
  expect(Number.parseFloat(text)).toBe(Number.MAX_VALUE);
});
