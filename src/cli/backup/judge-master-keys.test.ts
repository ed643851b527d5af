import { expect, it } from "vitest";
import { judgeMasterKeys } from "./restore.ts";

it.each([
  ["the right key", ["a"], ["a"], true, "The master key of the settings opens its store (a)."],
  [
    "both keys of a change",
    ["b", "a"],
    ["a", "b"],
    true,
    "The master key of the settings opens its store (a, b).",
  ],
  ["another key", ["b"], ["a"], false, /^Its data is under the master key a, and the settings have b: /],
  ["one of two keys", ["a"], ["a", "b"], false, /^Its data is under the master key b, /],
  ["no key", [], ["a"], undefined, /^It needs the master key a\. /],
  ["a key for an empty store", ["a"], [], undefined, /^Its store has no data under a master key/],
])("the check of a backup judges %s", (_, own, needed, opens, text) => {
  const judged = judgeMasterKeys(own, needed);
  expect(judged.opens).toBe(opens);
  expect(judged.text).toMatch(text);
});

it("the check of an empty store states nothing about keys where the settings have none", () => {
  expect(judgeMasterKeys([], [])).toEqual({});
});
