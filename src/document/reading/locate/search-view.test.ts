import { expect, it } from "vitest";
import { isTaken } from "./search-view.ts";

it.each([
  [0.89, 1, false],
  [0.9, 0.86, false],
  [0.9, 0.87, true],
  [1.14, 0.86, false],
  [1.15, 0.49, false],
  [1.15, 0.5, true],
])("takes a rectangle of lines with score %d and agreement %d: %s", (score, agreement, taken) => {
  expect(isTaken(score, agreement)).toBe(taken);
});
