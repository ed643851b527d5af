import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { seededRandom } from "#contract/statistics/random";
import { type MemoryJobs, makeMemoryJobs, type Outcome } from "#support/jobs/memory-jobs";
import type { JobDefinition, JobSource, LeasedJob, RunResult } from "./job.ts";
import { makeLeaseLoop } from "./lease-loop.ts";
import { type LeaseTimes, resumeMsMax } from "./lease-times.ts";
import { makeRunLock } from "./run-lock.ts";

const restartMs = 5_000;
const deathsMax = 3;
/** The standard times, and those of the system tests. */
const [standard, short] = [
  { leaseMs: 45_000, pollMs: 5_000 },
  { leaseMs: 2_000, pollMs: 500 },
];
const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);

/**
 * Poisoned jobs that ran beside another job. An error inside a run would be taken for the error of its job.
 */
let shared: string[] = [];

beforeEach(() => {
  vi.useFakeTimers();
  shared = [];
});
afterEach(() => {
  vi.useRealTimers();
  expect(shared, "a poisoned job runs alone").toEqual([]);
});

/** The time of a run, and whether it ends its process. */
type Work = { readonly ms: number; readonly isPoison: boolean };

/** A process with one loop for each kind of job, and one lock. */
type Process = { readonly die: () => void; readonly stop: () => Promise<unknown> };

type Options = { readonly concurrency: number; readonly times: LeaseTimes };

/** Processes that are restarted after their death, over kinds of jobs in memory. */
const makeDeployment = (
  kinds: readonly MemoryJobs[],
  workOf: (id: string) => Work,
  { concurrency, times }: Options,
) => {
  const deaths: (readonly string[])[] = [];
  const processes = new Map<number, Process>();
  let started = 0;

  const start = (place: number): void => {
    const holder = `process ${++started}`;
    const lock = makeRunLock();
    const running = new Map<string, LeasedJob>();
    let isDead = false;
    const isPoisoned = (job: LeasedJob): boolean => job.deaths !== undefined;

    const run = async (job: LeasedJob): Promise<RunResult<Outcome>> => {
      running.set(job.id, job);
      if (running.size > 1) shared.push(...[...running.values()].filter(isPoisoned).map(({ id }) => id));
      const { ms, isPoison } = workOf(job.id);
      await after(ms);
      if (isPoison) process.die();
      running.delete(job.id);
      return { outcome: "done" };
    };
    const loops = kinds.map((memory) =>
      makeLeaseLoop<LeasedJob, Outcome>({
        jobs: { ...whileAlive(memory.sourceOf(holder), () => !isDead), ...handling, run },
        options: { concurrency, ...times, attemptsMax: 3, deathsMax },
        lock,
        clock: () => new Date(),
        random: seededRandom(started),
        onError: () => undefined,
      }),
    );
    const process: Process = {
      die: () => {
        if (isDead) return;
        isDead = true;
        deaths.push([...running.keys()]);
        for (const loop of loops) void loop.stop();
        setTimeout(() => start(place), restartMs);
      },
      stop: () => Promise.all(loops.map((loop) => loop.stop())),
    };
    processes.set(place, process);
    for (const loop of loops) loop.start();
  };
  return { start, processes, deaths };
};

const handling: Omit<JobDefinition<LeasedJob, Outcome>, keyof JobSource<LeasedJob, Outcome> | "run"> = {
  fail: async () => "failed",
  minimalFailure: () => "minimal failure",
  classify: () => "unknown",
  waitingSince: () => new Date(),
};

/** A dead process reaches the store no more. */
const whileAlive = (
  source: JobSource<LeasedJob, Outcome>,
  isAlive: () => boolean,
): JobSource<LeasedJob, Outcome> => {
  const only =
    <Args extends readonly unknown[], Answer>(command: (...args: Args) => Promise<Answer>) =>
    async (...args: Args): Promise<Answer> => {
      if (!isAlive()) throw new Error("The process is dead");
      return await command(...args);
    };
  return {
    lease: only(source.lease),
    renew: only(source.renew),
    retry: only(source.retry),
    finish: only(source.finish),
  };
};

const outcomesOf = (kinds: readonly MemoryJobs[]): Readonly<Record<string, readonly Outcome[]>> =>
  Object.fromEntries(kinds.flatMap(({ rows }) => [...rows].map(([id, { outcomes }]) => [id, outcomes])));

/** Lets time pass until every job has an outcome, for two days at most. */
const untilAllEnd = async (kinds: readonly MemoryJobs[]): Promise<void> => {
  const isOpen = (): boolean => Object.values(outcomesOf(kinds)).some((outcomes) => outcomes.length === 0);
  for (let minutes = 0; isOpen() && minutes < 2_880; minutes++) await pass(60_000);
};

const stopAll = async ({ processes }: ReturnType<typeof makeDeployment>): Promise<void> => {
  await Promise.all([...processes.values()].map(({ stop }) => stop()));
};

describe("a job that ends its process each time", () => {
  it("fails after four deaths, and takes no other job with it", async () => {
    const kinds = [makeMemoryJobs("a", "poison", "b", "c", "d")];
    const workOf = (id: string): Work =>
      id === "poison" ? { ms: 1_000, isPoison: true } : { ms: 2_000, isPoison: false };
    const deployment = makeDeployment(kinds, workOf, { concurrency: 2, times: standard });
    deployment.start(0);
    await untilAllEnd(kinds);
    const { poison, ...others } = outcomesOf(kinds);
    expect(poison).toEqual(["failed"]);
    expect(Object.values(others)).toEqual([["done"], ["done"], ["done"], ["done"]]);
    expect(deployment.deaths).toEqual([["a", "poison"], ["poison"], ["poison"], ["poison"]]);
    await stopAll(deployment);
  });

  it("does not keep the others waiting between two of its runs", async () => {
    const memory = makeMemoryJobs("poison");
    const workOf = (id: string): Work => ({ ms: 1_000, isPoison: id === "poison" });
    const deployment = makeDeployment([memory], workOf, { concurrency: 2, times: standard });
    deployment.start(0);
    let added = 0;
    while (memory.row("poison").outcomes.length === 0 && added < 500) {
      memory.add(`other ${++added}`);
      await pass(20_000);
      const waiting = [...memory.rows.values()].filter(({ outcomes }) => outcomes.length === 0);
      // The poison, and what came since the death of a process: its lease, its restart and one search.
      expect(waiting.length).toBeLessThanOrEqual(1 + Math.ceil((resumeMsMax(standard) + restartMs) / 20_000));
    }
    await pass(60_000);
    const ends = Object.values(outcomesOf([memory])).map(([outcome]) => outcome);
    expect(ends.filter((outcome) => outcome !== "done")).toEqual(["failed"]);
    expect(deployment.deaths.length).toBe(4);
    await stopAll(deployment);
  });
});

it("a service that is killed fifty times, twelve seconds after its start at most, fails no job", async () => {
  const random = seededRandom(17);
  const memory = makeMemoryJobs();
  const workOf = (): Work => ({ ms: 1_000 + 4_000 * random(), isPoison: false });
  const deployment = makeDeployment([memory], workOf, { concurrency: 2, times: short });
  deployment.start(0);
  for (let kill = 0; kill < 50; kill++) {
    memory.add(`a ${kill}`);
    memory.add(`b ${kill}`);
    await pass(1_000 + 11_000 * random());
    deployment.processes.get(0)?.die();
    await pass(restartMs);
  }
  expect(
    deployment.deaths.filter((jobs) => jobs.length > 0).length,
    "deaths with running jobs",
  ).toBeGreaterThan(20);
  await untilAllEnd([memory]);
  expect(new Set(Object.values(outcomesOf([memory])).flat())).toEqual(new Set(["done"]));
  await stopAll(deployment);
});

const jobWork = fc.record({ ms: fc.integer({ min: 100, max: 8_000 }), isPoison: fc.boolean() });

it("no innocent job fails and each poison fails, over kills at any moments, kinds of jobs and processes", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(jobWork, { minLength: 1, maxLength: 10 }),
      fc.array(fc.integer({ min: 200, max: 12_000 }), { maxLength: 25 }),
      fc.record({ concurrency: fc.integer({ min: 1, max: 3 }), times: fc.constantFrom(standard, short) }),
      fc.integer({ min: 1, max: 2 }),
      async (works, kills, options, places) => {
        const poisons = new Set(works.flatMap(({ isPoison }, n) => (isPoison ? [String(n)] : [])));
        // At most two of them, so that the deaths stay few.
        const isPoison = (id: string): boolean => [...poisons].slice(0, 2).includes(id);
        const ids = works.map((_, n) => String(n));
        const kinds = [0, 1].map((kind) => makeMemoryJobs(...ids.filter((_, n) => n % 2 === kind)));
        const workOf = (id: string): Work => ({ ms: works[Number(id)]!.ms, isPoison: isPoison(id) });
        const deployment = makeDeployment(kinds, workOf, options);
        for (let place = 0; place < places; place++) deployment.start(place);
        for (const [n, ms] of kills.entries()) {
          const process = deployment.processes.get(n % places)!;
          await pass(ms);
          if (deployment.processes.get(n % places) === process) process.die();
          await pass(restartMs);
        }
        await untilAllEnd(kinds);
        for (const [id, outcomes] of Object.entries(outcomesOf(kinds))) {
          expect(outcomes, id).toEqual([isPoison(id) ? "failed" : "done"]);
        }
        await stopAll(deployment);
      },
    ),
    { numRuns: 60 },
  );
});
