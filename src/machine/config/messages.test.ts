import { expect, it } from "vitest";
import { namesInWords, nearestNames } from "./messages.ts";

const rates = ["IDEM_FMR_SELFIE", "IDEM_FMR_DOCUMENT", "IDEM_FMR_REGISTRY"];

it.each([
  ["verfy", ["export", "verify"], ["verify"]],
  ["--scope", ["--name", "--scopes"], ["--scopes"]],
  ["abcdef", ["abcxyz"], ["abcxyz"]],
  ["abcdefgh", ["abcdwxyz"], []],
  ["ab", ["ax"], ["ax"]],
  ["ab", ["xy"], []],
  ["a", ["b"], []],
  ["IDEM_PROT", ["IDEM_PROXY", "IDEM_PORT"], ["IDEM_PORT"]],
])("suggests for %s of %j: %j", (word, known, nearest) => {
  expect(nearestNames(word, known)).toEqual(nearest);
});

it("suggests the names that begin with the word, before a name with fewer typing errors", () => {
  expect(nearestNames("IDEM_FMR", ["IDEM_PORT", ...rates])).toEqual(rates);
});

it("takes no beginning that more than three names have, or of fewer than three characters", () => {
  expect(nearestNames("IDEM_FMR", ["IDEM_PORT", ...rates, "IDEM_FMR_OTHER"])).toEqual(["IDEM_PORT"]);
  expect(nearestNames("ser", ["serve", "abc"])).toEqual(["serve"]);
  expect(nearestNames("se", ["serve", "abc"])).toEqual([]);
});

it("prefers the longer common beginning of two names with equal typing errors", () => {
  expect(nearestNames("liss", ["miss", "list"])).toEqual(["list"]);
});

it.each([
  [["a"], "a"],
  [["a", "b"], "a or b"],
  [["a", "b", "c"], "a, b or c"],
])("writes %j as a sentence does", (names, text) => {
  expect(namesInWords(names)).toBe(text);
});
