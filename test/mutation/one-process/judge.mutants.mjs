/**
 * Judges every mutant of a job in one process: runs the tests that reach it, the fastest first, up to the first that
 * fails. A mutant in code that runs at the import of a module is judged by all tests, with all modules imported again.
 * Appends one line of JSON for each mutant, so that a run that was ended goes on where it stopped.
 */
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { it, vi } from "vitest";
import { collectFile } from "./collect.mjs";
import { firstFailure, Late } from "./run-tests.mjs";

const job = JSON.parse(readFileSync(process.env.MUTATION_JOB, "utf8"));
const write = (row) => appendFileSync(job.results, `${JSON.stringify(row)}\n`);
const judgedBefore = () =>
  existsSync(job.results)
    ? new Set(
        readFileSync(job.results, "utf8")
          .split("\n")
          .filter(Boolean)
          .map((line) => JSON.parse(line))
          .filter(({ status }) => status !== undefined)
          .map(({ id }) => id),
      )
    : new Set();

/** What instrumented code reads and writes (Stryker's instrumenter). */
const stryker = { mutantCoverage: { static: {}, perTest: {} } };
Object.assign(globalThis, { __stryker__: stryker });

const collect = async () => {
  const tests = [];
  for (const file of job.tests) tests.push(...(await collectFile(file)));
  return tests;
};

/** Runs each test once without a mutant: its time, and the mutants that it reaches. */
const measure = async (collected) => {
  const msOf = new Map();
  const tests = [];
  for (const test of collected) {
    stryker.currentTestId = test.id;
    const started = performance.now();
    const failure = await firstFailure([test], () => 300_000);
    msOf.set(test.id, performance.now() - started);
    // A limit of time may fail on instrumented code: such a test judges no mutant.
    if (failure === undefined) tests.push(test);
    else write({ leftOut: test.id, error: String(failure.error) });
  }
  stryker.currentTestId = undefined;
  return { msOf, tests: tests.toSorted((a, b) => msOf.get(a.id) - msOf.get(b.id)) };
};

const isLoop = ({ error }) =>
  error instanceof Late || String(error).includes("Hit count limit") || stryker.hitCount > stryker.hitLimit;

const makeJudge = ({ msOf, tests }) => {
  // A copy: the code goes on to count while mutants are judged.
  const { perTest, static: atImport } = structuredClone(stryker.mutantCoverage);
  const ids = new Set(tests.map(({ id }) => id));
  const msMaxOf = ({ id }) => Math.max(20_000, 20 * msOf.get(id));
  const hitsOf = (id) =>
    Object.values(perTest).reduce((sum, hits) => sum + (hits[id] ?? 0), atImport[id] ?? 0);
  const failureOf = async (id) => {
    if (atImport[id] === undefined)
      return await firstFailure(
        tests.filter((test) => perTest[test.id]?.[id] !== undefined),
        msMaxOf,
      );
    vi.resetModules();
    try {
      const again = (await collect()).filter((test) => ids.has(test.id));
      if (again.length !== tests.length) return { id: "collection" };
      return await firstFailure(
        again.toSorted((a, b) => msOf.get(a.id) - msOf.get(b.id)),
        msMaxOf,
      );
    } catch (error) {
      return { id: "import", error };
    }
  };
  const judge = async (id) => {
    const hits = hitsOf(id);
    if (hits === 0) return { id, status: "NoCoverage" };
    Object.assign(stryker, { hitCount: 0, hitLimit: hits * 100 + 1000, activeMutant: id });
    const failure = await failureOf(id);
    stryker.activeMutant = undefined;
    if (failure === undefined) return { id, status: "Survived" };
    return { id, status: isLoop(failure) ? "Timeout" : "Killed", by: failure.id };
  };
  return { judge, isAtImport: (id) => atImport[id] !== undefined };
};

process.on("unhandledRejection", () => undefined);

it("judges the mutants", async () => {
  const judged = judgedBefore();
  const { judge, isAtImport } = makeJudge(await measure(await collect()));
  const left = job.mutants.map(({ id }) => id).filter((id) => !judged.has(id));
  const order = [...left.filter((id) => !isAtImport(id)), ...left.filter(isAtImport)];
  for (const id of order) {
    write({ begun: id });
    const row = await judge(id);
    write(row);
    // What did not end may go on beside the next mutant: a fresh process judges the rest.
    if (row.status === "Timeout") return;
  }
  write({ ended: true });
});
