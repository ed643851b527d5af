import { expect, it } from "vitest";
import { missingFlags } from "./start-flags.ts";

const [semiSpace, keys] = ["--max-semi-space-size=8", "--no-memory-protection-keys"];

it.each([
  [[], "24", [semiSpace, keys]],
  [[], "22", [semiSpace]],
  [[], "26", [semiSpace]],
  [["--max-semi-space-size=64"], "24", [keys]],
  [["--inspect", "--memory-protection-keys --max-semi-space-size=64"], "24", []],
  [[semiSpace, keys], "24", []],
])("a process with the flags %j on Node %s lacks %j", (words, release, missing) => {
  expect(missingFlags(words, release)).toEqual(missing);
});
