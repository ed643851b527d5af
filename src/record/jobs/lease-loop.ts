import type { JobDefinition, LeasedJob, LeaseRequest } from "./job.ts";
import { type JobLimits, judgePoisoned } from "./judge-job.ts";
import { type LeaseTimes, pollPauseMs, renewEveryMs } from "./lease-times.ts";
import type { RunLock } from "./run-lock.ts";
import { type Reporting, runUnderLease } from "./run-under-lease.ts";
import { makeSearchLoop, type SearchLoop } from "./search-loop.ts";
import { makeWakeUpSignal } from "./wake-up-signal.ts";

export type LeaseLoopOptions = JobLimits &
  LeaseTimes & {
    /** Jobs that run at the same time. */
    readonly concurrency: number;
  };

export type LeaseLoopDeps<Job extends LeasedJob, Outcome> = Reporting<Job> & {
  readonly jobs: JobDefinition<Job, Outcome>;
  readonly options: LeaseLoopOptions;
  readonly clock: () => Date;
  readonly random: () => number;
  /** One for all loops of the process. */
  readonly lock: RunLock;
};

/**
 * Leases due jobs, runs them and finishes them. After the death of a process its leases end, and another
 * process runs the jobs, one after the other and alone. Only the lease holder can finish a job, so that no
 * job finishes twice.
 */
export type LeaseLoop = SearchLoop;

/**
 * Makes the loop of one kind of job. It does nothing before its start. A process has one loop for each kind,
 * and one lock for all of them.
 *
 * @example
 * ```ts
 * import type { LeasedJob } from "#record/jobs/job";
 * import { type LeaseLoopDeps, makeLeaseLoop } from "#record/jobs/lease-loop";
 *
 * // `deps.jobs` says where the jobs are stored, how one runs and how it fails.
 * export const runUntil = (deps: LeaseLoopDeps<LeasedJob, string>, end: AbortSignal): void => {
 *   const loop = makeLeaseLoop(deps);
 *   loop.start();
 *   end.addEventListener("abort", () => void loop.stop());
 * };
 * ```
 */
export const makeLeaseLoop = <Job extends LeasedJob, Outcome>(
  deps: LeaseLoopDeps<Job, Outcome>,
): LeaseLoop => {
  const { options, random, onError } = deps;
  const wakeUp = makeWakeUpSignal();
  const stopping = new AbortController();
  const { startDueJobs, untilIdle } = makeRuns(deps, stopping.signal, wakeUp.send);
  const loop = makeSearchLoop({
    search: async () => ((await startDueJobs()) ? "again" : "wait"),
    pauseMs: () => pollPauseMs(options, random),
    wakeUp,
    onError: (error) => onError("lease", undefined, error),
    end: untilIdle,
  });
  return {
    ...loop,
    stop: async () => {
      stopping.abort();
      await loop.stop();
    },
  };
};

/** The running jobs of a loop. `startDueJobs` returns whether it leased any. */
const makeRuns = <Job extends LeasedJob, Outcome>(
  deps: LeaseLoopDeps<Job, Outcome>,
  stopping: AbortSignal,
  onEnd: () => void,
) => {
  const { options, lock } = deps;
  const running = new Map<string, Promise<void>>();
  const lease = makeLease(deps, running);
  const run = (job: Job): Promise<void> => {
    const end = runUnderLease(deps, job).finally(() => {
      running.delete(job.id);
      onEnd();
    });
    running.set(job.id, end);
    return end;
  };

  /** Waits until this process runs nothing else. */
  const runPoisoned = async (): Promise<void> => {
    const end = await lock.exclude();
    try {
      if (stopping.aborted) return;
      const { jobs } = await lease(1, true);
      await Promise.all(jobs.map(run));
    } finally {
      end();
    }
  };

  const startDueJobs = async (): Promise<boolean> => {
    const limit = options.concurrency - running.size;
    if (limit <= 0) return false;
    const end = await lock.share();
    const { jobs, isPoisonedDue } = await lease(limit, false).catch((error: unknown) => {
      end();
      throw error;
    });
    void Promise.all(jobs.map(run)).then(end);
    if (isPoisonedDue) await runPoisoned();
    return isPoisonedDue || jobs.length > 0;
  };

  return { startDueJobs, untilIdle: () => Promise.all(running.values()) };
};

/**
 * The lease command with the state of this process. After an outage of the store it ends no lease until
 * living holders had the time to renew theirs: an outage is no death. A start counts as the end of an outage,
 * because it may follow one.
 */
const makeLease = <Job extends LeasedJob, Outcome>(
  { jobs, options, clock }: LeaseLoopDeps<Job, Outcome>,
  running: ReadonlyMap<string, unknown>,
) => {
  const startedAt = clock().getTime();
  let outageAt = startedAt;
  return async (limit: number, isAlone: boolean) => {
    const now = clock();
    const request: LeaseRequest = {
      limit,
      leaseMs: options.leaseMs,
      now,
      isAlone,
      running: [...running.keys()],
      endsLeases: now.getTime() - outageAt >= renewEveryMs(options),
      deathsAllowed: judgePoisoned(now.getTime() - startedAt, options),
      deathsMax: options.deathsMax,
    };
    try {
      return await jobs.lease(request);
    } catch (error) {
      outageAt = clock().getTime();
      throw error;
    }
  };
};
