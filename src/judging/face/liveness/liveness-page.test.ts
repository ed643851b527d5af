import { expect, it } from "vitest";
import { livenessNumber } from "#contract/liveness";
import { defaultFacePolicy } from "../policy.ts";
import { writeLivenessPage } from "./liveness-page.ts";
import { livenessRules } from "./liveness-rules.ts";

it("the page has every sent number once, and the rules in their order", () => {
  const rows = writeLivenessPage(defaultFacePolicy)
    .split("\n")
    .flatMap((line) => [...line.matchAll(/^\| \d+ \| (\d+) \| (\w+) \|/g)])
    .map(([, number, name]) => [name, Number(number)] as const);
  const { Spoof: _spoof, Uncertain: _uncertain, ...sent } = livenessNumber;
  expect(Object.fromEntries(rows)).toEqual(sent);
  expect(rows).toHaveLength(Object.keys(sent).length);
  const rules = livenessRules.map(({ result }) => result);
  expect(rows.map(([name]) => name).filter((name) => rules.some((rule) => rule === name))).toEqual(rules);
});
