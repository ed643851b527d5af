/**
 * Prints files, tests and processor seconds of each lane that .ci/run has run, and the counts of tests. Ends
 * with 1 where a lane is over its budget in .ci/budgets.json.
 *   node scripts/ci/report.ts FOLDER     with LANE.seconds, LANE.json and, where files ran again, LANE.again.json
 */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { endWithHelp } from "../help.ts";
import { budgetFaults, type LaneRun, readSeconds, sumOf, tableOf, type VitestReport } from "./lanes.ts";

endWithHelp(import.meta.filename);

const [folder] = process.argv.slice(2);
if (folder === undefined) throw new Error("Name the folder of the reports: node scripts/ci/report.ts FOLDER");

const readReport = (file: string): VitestReport => JSON.parse(readFileSync(file, "utf8"));

const readRun = (lane: string): LaneRun => ({
  lane,
  processorSeconds: readSeconds(readFileSync(join(folder, `${lane}.seconds`), "utf8")),
  reports: [`${lane}.json`, `${lane}.again.json`]
    .map((name) => join(folder, name))
    .filter(existsSync)
    .map(readReport),
});

const budgets: Readonly<Record<string, number>> = JSON.parse(
  readFileSync(new URL("../../.ci/budgets.json", import.meta.url), "utf8"),
);
const ran = readdirSync(folder).filter((name) => name.endsWith(".seconds"));
const runs = ran.map((name) => readRun(name.replace(/\.seconds$/, "")));
console.log(tableOf(runs, budgets));
const faults = budgetFaults(runs, budgets);
for (const fault of faults) console.error(`${fault}.`);
console.log(`${sumOf(runs, "numPassedTests")} passed, ${sumOf(runs, "numFailedTests")} failed`);
if (faults.length > 0) process.exitCode = 1;
