import { expect, it } from "vitest";
import { facialAuthenticationNumber } from "#contract/facial-authentication";
import { defaultFacePolicy } from "../policy.ts";
import { writeFacialPage } from "./facial-page.ts";

const rows = writeFacialPage(defaultFacePolicy)
  .split("\n")
  .flatMap((line) => [...line.matchAll(/^\| (\d+) \| (\w+) \|.*\| (\w+) \|$/g)])
  .map(([, number, name, outcome]) => [Number(number), name, outcome] as const);

it("the page has every number of the interface once, in its order", () => {
  expect(rows.map(([number, name]) => [name, number])).toEqual(Object.entries(facialAuthenticationNumber));
});

it("the page rejects a person for number 1 alone, and approves for number 3 alone", () => {
  expect(rows.map(([, , outcome]) => outcome)).toEqual([
    "retry",
    "rejected",
    "retry",
    "approved",
    "retry",
    "retry",
  ]);
});
