import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

const changelog = readFileSync(new URL("../../CHANGELOG.md", import.meta.url), "utf8");
const sinceFirst = changelog.slice(0, changelog.indexOf("## 0.1.0 "));

it("the changelog has one line an entry, of at most 120 characters, in known groups", () => {
  const groups = "At the upgrade from \\d+\\.\\d+\\.\\d+|Added|Changed|Fixed|Removed|Security";
  const known = new RegExp(`^(# Changelog|The format follows .*|## .*|### (${groups})|- .*|)$`);
  const faults = sinceFirst.split("\n").filter((line) => line.length > 120 || !known.test(line));
  expect(faults).toEqual([]);
  expect(sinceFirst.match(/^- /gm)?.length).toBeGreaterThan(50);
});
