import { expect, it } from "vitest";
import { nearestName } from "./messages.ts";

it.each([
  ["verfy", ["export", "verify"], "verify"],
  ["--scope", ["--name", "--scopes"], "--scopes"],
  ["abcdef", ["abcxyz"], "abcxyz"],
  ["abcdefgh", ["abcdwxyz"], undefined],
  ["ab", ["ax"], "ax"],
  ["ab", ["xy"], undefined],
  ["a", ["b"], undefined],
])("suggests for %s of %j: %s", (word, known, nearest) => {
  expect(nearestName(word, known)).toBe(nearest);
});
