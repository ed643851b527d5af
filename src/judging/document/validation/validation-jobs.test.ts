import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import { readConfig } from "#machine/config/config";
import type { LeasedJob, RunResult } from "#record/jobs/job";
import { makeLeaseLoop } from "#record/jobs/lease-loop";
import { resumeMsMax } from "#record/jobs/lease-times";
import { makeRunLock } from "#record/jobs/run-lock";
import { type MemoryJobs, makeMemoryJobs, type Outcome } from "#support/jobs/memory-jobs";
import { defaultValidationLoopOptions } from "./validation-jobs.ts";

/** The options of a deployment without settings. */
const standard = { ...defaultValidationLoopOptions, leaseMs: readConfig({}).validation.leaseMs };

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const never = new Promise<RunResult<Outcome>>(() => undefined);

/** A loop with the standard options. Once it has died it reaches the store no more. */
const openLoop = (memory: MemoryJobs, holder: string, random: () => number, onRun: () => void) => {
  let isDead = false;
  const source = memory.sourceOf(holder);
  const reach = async <Answer>(command: () => Promise<Answer>): Promise<Answer> => {
    if (isDead) throw new Error("The process is dead");
    return await command();
  };
  const loop = makeLeaseLoop<LeasedJob, Outcome>({
    jobs: {
      ...source,
      lease: (request) => reach(() => source.lease(request)),
      renew: (job, until) => reach(() => source.renew(job, until)),
      run: () => {
        onRun();
        return never;
      },
      fail: async () => "failed",
      minimalFailure: () => "minimal failure",
      classify: () => "unknown",
      waitingSince: () => new Date(),
    },
    options: { ...standard, concurrency: 2 },
    lock: makeRunLock(),
    clock: () => new Date(),
    random,
    onError: () => undefined,
  });
  return {
    start: loop.start,
    die: () => {
      isDead = true;
    },
  };
};

describe("with the standard settings", () => {
  it("the work of a dead process resumes within 60 seconds, whenever it dies", async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 0, max: 4 * standard.leaseMs }),
        fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 20 }),
        async (diesAtMs, randoms) => {
          const memory = makeMemoryJobs("j");
          let turn = 0;
          const random = (): number => randoms[turn++ % randoms.length]!;
          let resumedAt = Number.POSITIVE_INFINITY;
          const dying = openLoop(memory, "dying", random, () => undefined);
          dying.start();
          await vi.advanceTimersByTimeAsync(1);
          const other = openLoop(memory, "other", random, () => {
            resumedAt = Date.now();
          });
          other.start();
          await vi.advanceTimersByTimeAsync(diesAtMs);
          expect(resumedAt, "a living process keeps its job").toBe(Number.POSITIVE_INFINITY);
          const diedAt = Date.now();
          dying.die();
          await vi.advanceTimersByTimeAsync(60_000);
          expect(resumedAt - diedAt).toBeLessThanOrEqual(60_000);
          vi.clearAllTimers();
        },
      ),
      {
        numRuns: 60,
        examples: [
          [0, [1]],
          [standard.leaseMs / 3, [1]],
        ],
      },
    );
  });

  it("five seconds are left for clocks that differ", () => {
    expect(resumeMsMax(standard)).toBeLessThanOrEqual(55_000);
  });
});
