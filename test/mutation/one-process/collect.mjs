/**
 * Stands for the module `vitest` in the judged test files: collects tests instead of running them, so that one process
 * can run them again for each mutant. `expect` and `vi` are vitest's own.
 */
import * as vitest from "vitest";

export const { assert, expect, expectTypeOf, vi } = vitest;

/** Shared by all copies of this module: a reset of the modules makes a new one. */
const shared = Symbol.for("tests that are collected");
globalThis[shared] ??= { file: "", count: 0, suite: undefined, tests: [], finishing: [] };
const state = globalThis[shared];

const makeSuite = (parent, isSkipped) => ({
  parent,
  isSkipped,
  beforeAll: [],
  afterAll: [],
  beforeEach: [],
  afterEach: [],
});

/** Tests of a file: imports it again, unless its module is cached. */
export const collectFile = async (file) => {
  Object.assign(state, { file, count: 0, suite: makeSuite(undefined, false), tests: [] });
  await import(/* @vite-ignore */ file);
  return state.tests;
};

/** Functions that the running test asked for at its end. */
export const takeFinishing = () => state.finishing.splice(0);

const suitesOf = (suite) => (suite === undefined ? [] : [...suitesOf(suite.parent), suite]);

const add = (run, isSkipped) => {
  const id = `${state.file}#${state.count}`;
  state.count += 1;
  const suites = suitesOf(state.suite);
  if (run === undefined || isSkipped || suites.some((suite) => suite.isSkipped)) return;
  state.tests.push({ id, run, suites });
};

const functionIn = (parts) => parts.find((part) => typeof part === "function");
const withRow = (run, row) => (context) => (Array.isArray(row) ? run(...row) : run(row, context));

const makeTest = (isSkipped) => {
  const test = (_name, ...parts) => add(functionIn(parts), isSkipped);
  const each =
    (rows) =>
    (_name, ...parts) => {
      for (const row of rows) add(withRow(functionIn(parts), row), isSkipped);
    };
  const oneArgument =
    (rows) =>
    (_name, ...parts) => {
      for (const row of rows) add((context) => functionIn(parts)(row, context), isSkipped);
    };
  return Object.assign(test, { each, for: oneArgument });
};

const conditions = (make) => ({
  skip: make(true),
  skipIf: (holds) => make(Boolean(holds)),
  runIf: (holds) => make(!holds),
});

export const it = Object.assign(makeTest(false), conditions(makeTest), { concurrent: makeTest(false) });
export const test = it;

const inSuite = (isSkipped, work) => {
  const parent = state.suite;
  state.suite = makeSuite(parent, isSkipped);
  work();
  state.suite = parent;
};

const makeDescribe = (isSkipped) => {
  const describe = (_name, ...parts) => inSuite(isSkipped, functionIn(parts));
  const each =
    (rows) =>
    (_name, ...parts) => {
      for (const row of rows) inSuite(isSkipped, () => withRow(functionIn(parts), row)({}));
    };
  return Object.assign(describe, { each });
};

export const describe = Object.assign(makeDescribe(false), conditions(makeDescribe));

const hook = (name) => (work) => void state.suite[name].push(work);
export const beforeAll = hook("beforeAll");
export const afterAll = hook("afterAll");
export const beforeEach = hook("beforeEach");
export const afterEach = hook("afterEach");
export const onTestFinished = (work) => void state.finishing.push(work);
