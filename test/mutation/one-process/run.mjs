/**
 * Judges the mutants of some files by some tests: `node test/mutation/one-process/run.mjs FOLDER 'FILES' 'TESTS'`, globs with spaces
 * between them. FOLDER takes the results; with FOLDER alone, a run that was ended goes on.
 */
import { spawn } from "node:child_process";
import { existsSync, readFileSync, rmSync } from "node:fs";
import { appendFile } from "node:fs/promises";
import { resolve } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { writeJob } from "./instrument.mjs";
import { printReport } from "./report.mjs";

const [folder, mutate, tests] = process.argv.slice(2);
const results = resolve(folder, "results.jsonl");

const lastRow = () => {
  const lines = existsSync(results) ? readFileSync(results, "utf8").trim().split("\n") : [];
  return JSON.parse(lines.at(-1) || "{}");
};

/** A mutant that keeps the thread busy never reaches its limit of time: after four minutes its process is ended. */
const blockedMs = 240_000;

/** After a mutant that did not end, a process ends itself; one that its endless work keeps busy is ended after this time. */
const endingMs = 20_000;

const judgeInProcess = async () => {
  const child = spawn("vitest", ["run", "--config", resolve(import.meta.dirname, "vitest.config.ts")], {
    stdio: "inherit",
    detached: true,
    env: { ...process.env, MUTATION_JOB: resolve(folder, "job.json") },
  });
  const { promise: ended, resolve: end } = Promise.withResolvers();
  child.once("exit", end);
  const first = JSON.stringify(lastRow());
  let since = { row: first, at: Date.now() };
  while (child.exitCode === null && child.signalCode === null) {
    await Promise.race([pause(5000), ended]);
    const { begun, status } = lastRow();
    const row = JSON.stringify(lastRow());
    if (row === first || row !== since.row) since = { row, at: Date.now() };
    else if (Date.now() - since.at > (status === "Timeout" ? endingMs : blockedMs)) {
      process.kill(-child.pid, "SIGKILL");
      await ended;
      if (begun !== undefined)
        await appendFile(results, `${JSON.stringify({ id: begun, status: "Timeout" })}\n`);
    }
  }
};

if (mutate !== undefined) {
  rmSync(results, { force: true });
  await writeJob(folder, mutate.split(" "), tests.split(" "));
}
while (lastRow().ended !== true) {
  const before = JSON.stringify(lastRow());
  await judgeInProcess();
  if (JSON.stringify(lastRow()) === before) throw new Error("The run made no progress");
}
printReport(folder);
