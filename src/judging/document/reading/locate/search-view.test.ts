import { expect, it } from "vitest";
import { cardScore } from "./located-card.ts";
import { isTaken, scoreMaxOf } from "./search-view.ts";

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

it.each([
  [1.29, false, false],
  [1.3, false, true],
  [1.01, true, true],
])("trusts lines with score %d of a card that is cut (%s): %s", (score, isCut, trusted) => {
  expect(Math.min(score, scoreMaxOf(score, isCut)) >= cardScore.trusted).toBe(trusted);
});
