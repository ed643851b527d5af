import { expect, it } from "vitest";
import { missingFlags } from "./start-flags.ts";

const [semiSpace, budget] = ["--max-semi-space-size=8", "--wasm-wrapper-tiering-budget=1000000000"];

it.each([
  [[], "24", [semiSpace, budget]],
  [[], "22", [semiSpace]],
  [[], "26", [semiSpace]],
  [["--max-semi-space-size=64"], "24", [budget]],
  [["--inspect", "--wasm-wrapper-tiering-budget=9 --max-semi-space-size=64"], "24", []],
  [[semiSpace, budget], "24", []],
])("a process with the flags %j on Node %s lacks %j", (words, release, missing) => {
  expect(missingFlags(words, release)).toEqual(missing);
});
