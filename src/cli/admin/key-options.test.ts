import { expect, it } from "vitest";
import { UsageError } from "../command.ts";
import { readOverlap } from "./key-options.ts";

it.each([
  ["0", 0],
  ["0.001", 3_600],
  ["1.001", 3_603_600],
  ["24", 86_400_000],
])("an overlap of %s hours is a whole number of thousandths of an hour", (text, overlapMs) => {
  expect(readOverlap(text)).toBe(overlapMs);
});

it.each(["0.0001", "-1", "8761", "a"])("an overlap of %s hours is refused", (text) => {
  expect(() => readOverlap(text)).toThrow(UsageError);
});
