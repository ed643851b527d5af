import { takeFinishing, vi } from "./collect.mjs";

/** A test that did not end in its time. */
export class Late extends Error {}

const within = async (ms, work) => {
  const { promise, reject } = Promise.withResolvers();
  const timer = setTimeout(() => reject(new Late("late")), ms);
  try {
    await Promise.race([work(), promise]);
  } finally {
    clearTimeout(timer);
  }
};

const all = async (works) => {
  for (const work of works) await work();
};

const runOne = async ({ run, suites }, begun) => {
  for (const suite of suites.filter((one) => !begun.has(one))) {
    begun.add(suite);
    await all(suite.beforeAll);
  }
  await all(suites.flatMap(({ beforeEach }) => beforeEach));
  try {
    await run({ task: {}, signal: new AbortController().signal, skip: () => undefined });
  } finally {
    await all(takeFinishing());
    await all(suites.toReversed().flatMap(({ afterEach }) => afterEach));
  }
};

/** Runs tests in order up to the first that fails, which it returns with its error; undefined where all pass. */
export const firstFailure = async (tests, msMaxOf) => {
  const begun = new Set();
  let failure;
  for (const test of tests) {
    try {
      await within(msMaxOf(test), () => runOne(test, begun));
    } catch (error) {
      failure = { id: test.id, error };
    }
    vi.useRealTimers();
    vi.restoreAllMocks();
    if (failure !== undefined) break;
  }
  const endings = [...begun].toReversed().flatMap(({ afterAll }) => afterAll);
  // After a failure a suite may not be able to tidy up.
  await within(20_000, () => all(endings)).catch(() => undefined);
  return failure;
};
