// Prints the time of each lane and the counts of the JSON reports named on the command line.
import { readFileSync } from "node:fs";

const runs = process.argv.slice(2).map((file) => JSON.parse(readFileSync(file, "utf8")));
const laneOf = (file) => /\.(engine|db|http|system|services|attack)\.test\.ts$/.exec(file)?.[1] ?? "unit";

const lanes = new Map();
for (const { name, startTime, endTime, assertionResults } of runs.flatMap((run) => run.testResults)) {
  const lane = lanes.get(laneOf(name)) ?? { files: 0, tests: 0, ms: 0 };
  lane.files += 1;
  lane.tests += assertionResults.length;
  lane.ms += endTime - startTime;
  lanes.set(laneOf(name), lane);
}
for (const [lane, { files, tests, ms }] of lanes) {
  console.log(`${lane.padEnd(9)} ${files} files, ${tests} tests, ${(ms / 1000).toFixed(0)} s of test files`);
}

const sum = (key) => runs.reduce((total, run) => total + run[key], 0);
console.log(`${sum("numPassedTests")} passed, ${sum("numFailedTests")} failed`);
