import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { type MemoryJobs, makeMemoryJobs, type Outcome } from "#support/jobs/memory-jobs";
import type { ErrorKind, JobDefinition, LeasedJob, RunResult } from "./job.ts";
import { type LeaseLoopOptions, makeLeaseLoop } from "./lease-loop.ts";
import { makeRunLock } from "./run-lock.ts";

/** An error that names its own kind. */
class ErrorOf extends Error {
  readonly kind: ErrorKind;

  constructor(kind: ErrorKind) {
    super(kind);
    this.kind = kind;
  }
}

type Change = Partial<JobDefinition<LeasedJob, Outcome>> & {
  readonly holder?: string;
  readonly options?: Partial<LeaseLoopOptions>;
};

const leaseMs = 30_000;
const pollMs = 1_000;
const done: RunResult<Outcome> = { outcome: "done" };
const after = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms);
  });
const pass = (ms: number) => vi.advanceTimersByTimeAsync(ms);
let begin = 0;
const elapsedMs = (): number => Date.now() - begin;

beforeEach(() => {
  vi.useFakeTimers();
  begin = Date.now();
});
afterEach(() => {
  vi.useRealTimers();
});

const open = (memory: MemoryJobs, { holder = "a", options, ...change }: Change = {}) => {
  const errors: string[] = [];
  const loop = makeLeaseLoop<LeasedJob, Outcome>({
    jobs: {
      ...memory.sourceOf(holder),
      run: async () => done,
      fail: async () => "failed",
      minimalFailure: () => "minimal failure",
      classify: (error) => (error instanceof ErrorOf ? error.kind : "unknown"),
      waitingSince: () => new Date(begin),
      ...change,
    },
    options: { concurrency: 2, leaseMs, pollMs, attemptsMax: 3, deathsMax: 3, ...options },
    lock: makeRunLock(),
    clock: () => new Date(),
    random: () => 0.5,
    onError: (operation, job) => errors.push(`${operation} ${job?.id ?? "-"}`),
  });
  return { loop, errors };
};

/** Rejects with an error of each kind in turn, then succeeds. Holds the time of each run. */
const failingWith = (...kinds: readonly ErrorKind[]) => {
  const runsAt: number[] = [];
  const run = async (): Promise<RunResult<Outcome>> => {
    const kind = kinds[runsAt.push(elapsedMs()) - 1];
    if (kind !== undefined) throw new ErrorOf(kind);
    return done;
  };
  return { run, runsAt };
};

describe("a run with an error", () => {
  it.each([
    ["transient: retried, the wait doubles, no attempt counts", "transient", [0, 2_000, 4_000, 8_000], 1],
    ["unknown: retried, the pause grows with the attempts", "unknown", [0, 2_000, 10_000], 3],
    ["busy: run again under the same lease", "busy", [0, 100, 300, 700], 1],
    ["permanent: failed at the first attempt", "permanent", [0], 1],
  ] as const)("%s", async (_, kind, expected, attempts) => {
    const memory = makeMemoryJobs("j");
    const { run, runsAt } = failingWith(...Array.from({ length: 3 }, () => kind));
    const { loop } = open(memory, { run, options: { pollMs: 10 } });
    loop.start();
    await pass(60_000);
    const isFailed = kind === "unknown" || kind === "permanent";
    expect(memory.row("j")).toMatchObject({ attempts, outcomes: [isFailed ? "failed" : "done"] });
    expect(runsAt).toHaveLength(expected.length);
    // The loop finds a due job within one poll pause.
    expected.forEach((at, index) => {
      expect(runsAt[index]! - at).toBeLessThanOrEqual(30);
      expect(runsAt[index]).toBeGreaterThanOrEqual(at);
    });
    await loop.stop();
  });

  it("lost: writes nothing", async () => {
    const memory = makeMemoryJobs("j");
    const { loop, errors } = open(memory, { run: () => Promise.reject(new ErrorOf("lost")) });
    loop.start();
    await pass(leaseMs - 1);
    expect(memory.row("j")).toMatchObject({ attempts: 1, holder: "a", dueAt: begin + leaseMs, outcomes: [] });
    expect(errors).toEqual(["run j"]);
    await loop.stop();
  });

  it("pauses at most five minutes after a transient error", async () => {
    const memory = makeMemoryJobs("j");
    const { loop } = open(memory, {
      run: () => Promise.reject(new ErrorOf("transient")),
      waitingSince: () => new Date(begin - 86_400_000),
    });
    loop.start();
    await pass(0);
    expect(memory.row("j")).toMatchObject({ attempts: 0, dueAt: begin + 300_000 });
    await loop.stop();
  });
});

describe("a lease", () => {
  it("is renewed before it ends, as long as the job runs", async () => {
    const memory = makeMemoryJobs("j");
    const { loop } = open(memory, { run: () => after(10 * leaseMs).then(() => done) });
    loop.start();
    for (let waited = 0; waited < 10 * leaseMs - pollMs; waited += pollMs) {
      await pass(pollMs);
      expect(memory.row("j").dueAt).toBeGreaterThan(Date.now());
    }
    await pass(pollMs);
    expect(memory.row("j")).toMatchObject({ attempts: 1, outcomes: ["done"] });
    await loop.stop();
  });

  it("outlives a renewal that fails", async () => {
    const memory = makeMemoryJobs("j");
    const { renew } = memory.sourceOf("a");
    let renewals = 0;
    const { loop, errors } = open(memory, {
      run: () => after(2 * leaseMs).then(() => done),
      renew: async (...args) => {
        if (renewals++ === 0) throw new Error("The store does not answer");
        return await renew(...args);
      },
    });
    loop.start();
    await pass(2 * leaseMs);
    expect(memory.row("j")).toMatchObject({ attempts: 1, outcomes: ["done"] });
    expect(errors).toEqual(["renew j"]);
    await loop.stop();
  });

  it.each([
    ["an outcome", async () => done],
    ["an uncounted retry", async () => ({ waitingSince: new Date() })],
    ["an error", () => Promise.reject(new ErrorOf("permanent"))],
  ] as const)("that is lost aborts the run, and %s of the run is not written", async (_, end) => {
    const memory = makeMemoryJobs("j");
    const { finish, retry } = memory.sourceOf("a");
    const writes: string[] = [];
    let isAborted = false;
    const { loop } = open(memory, {
      finish: (...args) => (writes.push("finish"), finish(...args)),
      retry: (...args) => (writes.push("retry"), retry(...args)),
      run: async (_job, signal) => {
        await after(leaseMs);
        isAborted = signal.aborted;
        return await end();
      },
    });
    loop.start();
    await pass(1);
    const taken = { attempts: 2, holder: "b", dueAt: begin + 9 * leaseMs };
    Object.assign(memory.row("j"), taken);
    await pass(leaseMs);
    expect([isAborted, writes]).toEqual([true, []]);
    expect(memory.row("j")).toEqual({ ...taken, outcomes: [] });
    await loop.stop();
  });

  it("of a dead process ends, and another process finishes the job", async () => {
    const memory = makeMemoryJobs("j");
    Object.assign(memory.row("j"), { holder: "dead", attempts: 1, dueAt: begin + leaseMs });
    const { loop } = open(memory, { options: { pollMs: 10 } });
    loop.start();
    await pass(leaseMs - 1);
    expect(memory.row("j").outcomes).toEqual([]);
    await pass(20);
    expect(memory.row("j")).toMatchObject({ attempts: 1, deaths: 0, outcomes: ["done"] });
    await loop.stop();
  });
});

describe("an outcome", () => {
  it("that is outdated makes the job run again", async () => {
    const memory = makeMemoryJobs("j");
    const answers = ["outdated", "outdated", "finished"] as const;
    let runs = 0;
    const { loop, errors } = open(memory, {
      run: async () => (runs++, done),
      finish: async () => answers[runs - 1]!,
    });
    loop.start();
    await pass(0);
    expect([runs, errors]).toEqual([3, []]);
    await loop.stop();
  });

  it("that is outdated five times counts as a failed attempt", async () => {
    const memory = makeMemoryJobs("j");
    const { loop, errors } = open(memory, { finish: async () => "outdated" });
    loop.start();
    await pass(0);
    expect([memory.row("j").dueAt, errors]).toEqual([begin + 2_000, ["run j"]]);
    await loop.stop();
  });

  it("that is not ready is retried later, and no attempt counts", async () => {
    const memory = makeMemoryJobs("j");
    const { loop } = open(memory, { run: async () => ({ waitingSince: new Date(begin - 60_000) }) });
    loop.start();
    await pass(0);
    expect(memory.row("j")).toMatchObject({ attempts: 0, holder: undefined, dueAt: begin + 60_000 });
    await loop.stop();
  });
});

describe("a job that fails", () => {
  const failing = (change: Change) => {
    const memory = makeMemoryJobs("j");
    return { memory, ...open(memory, { run: () => Promise.reject(new ErrorOf("permanent")), ...change }) };
  };

  it("is finished with the minimal failure if its full failure cannot be made", async () => {
    const { memory, loop, errors } = failing({ fail: () => Promise.reject(new Error("The row is damaged")) });
    loop.start();
    await pass(0);
    expect([memory.row("j").outcomes, errors]).toEqual([["minimal failure"], ["run j", "end as failed j"]]);
    await loop.stop();
  });

  it("is retried if its failure meets a transient error", async () => {
    const { memory, loop } = failing({ fail: () => Promise.reject(new ErrorOf("transient")) });
    loop.start();
    await pass(0);
    expect(memory.row("j")).toMatchObject({ attempts: 0, dueAt: begin + 2_000, outcomes: [] });
    await loop.stop();
  });

  it("is left to the end of its lease if the store rejects every command", async () => {
    const { loop, errors } = failing({ finish: () => Promise.reject(new Error("The store is full")) });
    loop.start();
    await pass(0);
    expect(errors).toEqual(["run j", "end as failed j", "end j"]);
    await loop.stop();
  });

  it.each([
    ["attempts", { attempts: 3 }],
    ["deaths", { deaths: 3 }],
  ])("for its number of %s is not run again, and the operator's log has the reason", async (what, row) => {
    const memory = makeMemoryJobs("j");
    Object.assign(memory.row("j"), row);
    const { run, runsAt } = failingWith();
    const { loop, errors } = open(memory, { run });
    loop.start();
    await pass(0);
    expect([what, memory.row("j").outcomes, runsAt, errors]).toEqual([what, ["failed"], [], ["run j"]]);
    await loop.stop();
  });
});

describe("the loop", () => {
  it("starts a job at once when it is woken, else within the poll pause", async () => {
    const memory = makeMemoryJobs();
    const { loop } = open(memory);
    loop.start();
    await pass(10);
    memory.add("woken");
    loop.wake();
    await pass(0);
    expect(memory.row("woken").outcomes).toEqual(["done"]);
    memory.add("found");
    await pass(pollMs - 1);
    expect(memory.row("found").outcomes).toEqual([]);
    await pass(1);
    expect(memory.row("found").outcomes).toEqual(["done"]);
    await loop.stop();
  });

  it("keeps a wake-up that comes while it leases", async () => {
    const memory = makeMemoryJobs();
    const { lease } = memory.sourceOf("a");
    const { loop } = open(memory, { lease: (request) => lease(request).finally(() => after(10)) });
    loop.start();
    await pass(5);
    memory.add("j");
    loop.wake();
    await pass(20);
    expect(memory.row("j").outcomes).toEqual(["done"]);
    const stopped = loop.stop();
    await pass(10);
    await stopped;
  });

  it("tries again after an error of the lease command", async () => {
    const memory = makeMemoryJobs("j");
    const { lease } = memory.sourceOf("a");
    const { loop, errors } = open(memory, {
      lease: (request) => (elapsedMs() < 3_500 ? Promise.reject(new Error("down")) : lease(request)),
    });
    loop.start();
    await pass(4_000);
    expect(memory.row("j").outcomes).toEqual(["done"]);
    expect(errors).toEqual(Array.from({ length: 4 }, () => "lease -"));
    await loop.stop();
  });

  it("ends no lease from the first error of the store until a third of a lease after the last", async () => {
    const memory = makeMemoryJobs();
    const { lease } = memory.sourceOf("a");
    const endsNone: number[] = [];
    const { loop } = open(memory, {
      lease: (request) => {
        const hasJustStarted = elapsedMs() < leaseMs / 3;
        if (!request.endsLeases && !hasJustStarted) endsNone.push(elapsedMs());
        const isDown = elapsedMs() > 10_000 && elapsedMs() < 20_000;
        return isDown ? Promise.reject(new Error("down")) : lease(request);
      },
    });
    loop.start();
    await pass(60_000);
    await loop.stop();
    expect([endsNone[0], endsNone.at(-1), endsNone.length]).toEqual([
      12_000,
      19_000 + leaseMs / 3 - pollMs,
      17,
    ]);
  });

  it("ends no lease in the first third of a lease: living holders may come out of an outage", async () => {
    const memory = makeMemoryJobs("j");
    // The lease of a living process, which could not renew it: the store came back a moment ago.
    Object.assign(memory.row("j"), { holder: "living", attempts: 1, deaths: 0, dueAt: begin });
    const { run, runsAt } = failingWith();
    const { loop } = open(memory, { run });
    loop.start();
    await pass(leaseMs / 3 - 1);
    expect(memory.row("j")).toMatchObject({ holder: "living", deaths: 0, attempts: 1 });
    await pass(pollMs);
    expect([memory.row("j").deaths, runsAt]).toEqual([1, []]);
    await loop.stop();
  });

  it("stops when the running jobs have ended, and leases no more jobs", async () => {
    const memory = makeMemoryJobs("1", "2", "3");
    const { loop } = open(memory, { run: () => after(5_000).then(() => done) });
    loop.start();
    await pass(0);
    let isStopped = false;
    const stopped = loop.stop().finally(() => {
      isStopped = true;
    });
    await pass(4_999);
    expect(isStopped).toBe(false);
    await pass(1);
    await stopped;
    expect(["1", "2", "3"].map((id) => memory.row(id).outcomes.length)).toEqual([1, 1, 0]);
    expect(vi.getTimerCount()).toBe(0);
  });

  it("stops at once if it has not started", async () => {
    await open(makeMemoryJobs("j")).loop.stop();
  });
});

const step = fc.record({
  ms: fc.integer({ min: 0, max: 3 * leaseMs }),
  kind: fc.constantFrom<ErrorKind | undefined>(
    "busy",
    "transient",
    "unknown",
    "permanent",
    "lost",
    undefined,
  ),
});

it("finishes every job once, with two processes, any run times and any errors", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { maxLength: 4 }), { minLength: 1, maxLength: 8 }),
      fc.integer({ min: 1, max: 3 }),
      async (plans, concurrency) => {
        const memory = makeMemoryJobs(...plans.map((_, index) => String(index)));
        const pending = plans.map((plan) => [...plan]);
        const running = new Set<string>();
        const violations: string[] = [];
        const loops = ["a", "b"].map((holder) => {
          let runs = 0;
          const run = async ({ id }: LeasedJob): Promise<RunResult<Outcome>> => {
            // An error inside a run would be taken for the error of its job.
            if (++runs > concurrency) violations.push(`${id} is one too many`);
            if (running.has(id)) violations.push(`${id} runs twice`);
            running.add(id);
            const { ms, kind } = pending[Number(id)]!.shift() ?? { ms: 0, kind: undefined };
            await after(ms);
            running.delete(id);
            runs--;
            if (kind !== undefined) throw new ErrorOf(kind);
            return done;
          };
          return open(memory, { holder, run, options: { concurrency, pollMs: 5_000 } });
        });
        loops.forEach(({ loop }) => loop.start());
        const isFinished = (): boolean =>
          [...memory.rows.values()].every(({ outcomes }) => outcomes.length > 0);
        for (let minutes = 0; !isFinished() && minutes < 240; minutes++) await pass(60_000);
        await Promise.all(loops.map(({ loop }) => loop.stop()));
        expect(violations).toEqual([]);
        for (const { outcomes, attempts } of memory.rows.values()) {
          expect(outcomes).toHaveLength(1);
          expect(attempts).toBeLessThanOrEqual(4);
        }
        expect(vi.getTimerCount()).toBe(0);
      },
    ),
    { numRuns: 200 },
  );
});
