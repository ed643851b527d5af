import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { faultsOf, writePromisesPage } from "./page.ts";
import { type Promised, readPromises } from "./promise.ts";

const promises = readPromises(readFileSync(new URL("../../docs/promises.yaml", import.meta.url), "utf8"));

const held: Promised = {
  number: 1,
  title: "Nothing is lost",
  text: "An acknowledged write is kept.",
  tests: [{ file: "test/a.services.test.ts", test: "a store > keeps" }],
};
const planned: Promised = {
  number: 2,
  title: "Signed",
  text: "It is signed.",
  tests: [],
  missing: "a signature.",
};
const readTests = (file: string) => (file === "test/a.services.test.ts" ? ["a store > keeps"] : undefined);

describe("the table", () => {
  it("has the 36 promises in their order", () => {
    expect(promises.map(({ number }) => number)).toEqual(Array.from({ length: 36 }, (_, at) => at + 1));
    expect(new Set(promises.map(({ title }) => title)).size).toBe(36);
  });

  it("is refused with an unknown field, and names its place", () => {
    expect(() =>
      readPromises('[{ "number": 1, "title": "a", "text": "b", "tests": [], "test": 1 }]'),
    ).toThrow(/\/0/);
  });

  it.each<readonly [string, Promised, RegExp]>([
    [
      "a test that does not exist",
      { ...held, tests: [{ ...held.tests[0]!, test: "keeps" }] },
      /has no test "keeps"/,
    ],
    [
      "a file that does not exist",
      { ...held, tests: [{ file: "b.test.ts", test: "x" }] },
      /no file b\.test\.ts/,
    ],
    ["neither a test nor a gap", { ...held, tests: [] }, /neither a test nor/],
    [
      "a figure without a test",
      { ...planned, figures: [{ value: "5", n: "1", command: "c", date: "2026-11-23" }] },
      /figure, but no test/,
    ],
  ])("is refused with %s", (_title, promise, fault) => {
    expect(faultsOf([promise], readTests)).toEqual([expect.stringMatching(fault)]);
    expect(() => writePromisesPage([promise], readTests)).toThrow(fault);
  });
});

describe("the page", () => {
  it("states for each promise its tests with their command, or what is missing", () => {
    const page = writePromisesPage([held, planned, { ...held, number: 3, missing: "500 kills." }], readTests);
    expect(page).toContain("| 1 | [Nothing is lost](#1-nothing-is-lost) | tested |");
    expect(page).toContain("| 2 | [Signed](#2-signed) | **not in this release** |");
    expect(page).toContain("| 3 | [Nothing is lost](#3-nothing-is-lost) | in part |");
    expect(page).toContain(
      "- `a store > keeps`: [test/a.services.test.ts](../test/a.services.test.ts), `npm run test:services`",
    );
    expect(page).toContain("Not in this release: a signature.");
  });
});
