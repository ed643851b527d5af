import { expect, it } from "vitest";
import { budgetFaults, type LaneRun, readSeconds, sumOf, tableOf } from "./lanes.ts";

const run = (lane: string, processorSeconds: number): LaneRun => ({
  lane,
  processorSeconds,
  reports: [
    { numPassedTests: 2, numFailedTests: 1, testResults: [{ assertionResults: [1, 2, 3] }] },
    { numPassedTests: 1, numFailedTests: 0, testResults: [{ assertionResults: [1] }] },
  ],
});

it("the seconds are those of user and system, in the last line of what time printed", () => {
  expect(readSeconds("81.250 9.125\n")).toBe(90.375);
  expect(readSeconds("a warning of the shell\n1.5 0.5\n")).toBe(2);
  expect(() => readSeconds("a warning of the shell\n")).toThrow("No seconds");
});

it("a lane is at fault over its budget, and not at it", () => {
  expect(budgetFaults([run("unit", 110)], { unit: 110 })).toEqual([]);
  expect(budgetFaults([run("unit", 131.4)], { unit: 110 })).toEqual([
    "The lane unit took 131 s of processor time, and its budget is 110 s",
  ]);
});

it("a lane without a budget, and a budget without a lane, are faults", () => {
  expect(budgetFaults([run("new", 1)], { gone: 5 })).toEqual([
    "The lane new has no budget",
    "The lane gone has a budget and did not run",
  ]);
});

it("the table and the counts hold every report of a lane, also of files that ran again", () => {
  const runs = [run("unit", 80.4), run("db", 20)];
  expect(tableOf(runs, { unit: 110 }).split("\n")).toEqual([
    "lane          files    tests  seconds   budget",
    "unit              2        4       80      110",
    "db                2        4       20     none",
  ]);
  expect([sumOf(runs, "numPassedTests"), sumOf(runs, "numFailedTests")]).toEqual([6, 2]);
});
