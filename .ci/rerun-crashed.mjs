// Runs the test files again whose worker process was ended by the runtime, and only these. V8 of Node 24 aborted in most
// runs ("Check failed: jit_page.has_value()", nodejs/node#64500, docs/decisions/0009). Arguments: JSON report of the run, JSON report to write, the lane. Ends with 1 if any test failed.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";

const [report, output, lane] = process.argv.slice(2);
const crashedMax = 3;
const run = JSON.parse(readFileSync(report, "utf8"));
const isWhole = ({ assertionResults }) =>
  assertionResults.length > 0 && assertionResults.every(({ status }) => status !== "pending");
const ended = new Set(run.testResults.filter(isWhole).map(({ name }) => name));

const vitest = (...args) => spawnSync("npx", ["vitest", ...args], { encoding: "utf8", maxBuffer: 2 ** 26 });
const listed = JSON.parse(vitest("list", "--filesOnly", "--json", "--project", lane).stdout);
const crashed = listed.map(({ file }) => file).filter((file) => !ended.has(file));

if (run.numFailedTests > 0 || crashed.length === 0 || crashed.length > crashedMax) {
  console.error(`${run.numFailedTests} tests failed, ${crashed.length} files did not end`);
  process.exit(1);
}
console.log(`A worker of these files was ended by the runtime; they run again: ${crashed.join(", ")}`);
const again = vitest(
  "run",
  "--reporter=default",
  "--reporter=json",
  `--outputFile.json=${output}`,
  ...crashed,
);
process.stdout.write(again.stdout + again.stderr);
process.exit(again.status ?? 1);
