import { afterAttempt, afterWait } from "./back-off.ts";
import type { JobDefinition, LeasedJob } from "./job.ts";
import { type JobLimits, judgeError, judgeLeased } from "./judge-job.ts";
import { type LeaseTimes, renewEveryMs } from "./lease-times.ts";
import { retryWhileBusy } from "./retry-while-busy.ts";

/** The operation that failed, for the operator's log. */
export type LoopOperation = "lease" | "renew" | "run" | "retry" | "end as failed" | "end";

export type Reporting<Job extends LeasedJob> = {
  readonly onError: (operation: LoopOperation, job: Job | undefined, error: unknown) => void;
};

export type RunDeps<Job extends LeasedJob, Outcome> = Reporting<Job> & {
  readonly jobs: JobDefinition<Job, Outcome>;
  readonly options: JobLimits & Pick<LeaseTimes, "leaseMs">;
  readonly clock: () => Date;
};

/** Runs one job and renews its lease meanwhile. Never rejects, because the loop must continue. */
export const runUnderLease = async <Job extends LeasedJob, Outcome>(
  deps: RunDeps<Job, Outcome>,
  job: Job,
): Promise<void> => {
  const { jobs, options, clock, onError } = deps;
  const lost = new AbortController();
  const renew = async (): Promise<void> => {
    try {
      const until = new Date(clock().getTime() + options.leaseMs);
      if (!(await jobs.renew(job, until))) lost.abort();
    } catch (error) {
      onError("renew", job, error);
    }
  };
  const renewal = setInterval(() => void renew(), renewEveryMs(options));
  try {
    await (judgeLeased(job, options) === "run" ? runToEnd(deps, job, lost.signal) : giveUp(deps, job));
  } catch (error) {
    onError("run", job, error);
    await afterError(deps, job, error, lost.signal);
  } finally {
    clearInterval(renewal);
  }
};

/** Reports why the job is not run again. */
const giveUp = async <Job extends LeasedJob, Outcome>(
  deps: RunDeps<Job, Outcome>,
  job: Job,
): Promise<void> => {
  const { attempts, deaths = 0 } = job;
  const reason = `The job is given up after ${attempts - 1} attempts and ${deaths} deaths of a process that ran it alone`;
  deps.onError("run", job, new Error(reason));
  await failJob(deps, job);
};

/** An outcome that is outdated more often than this is an error of unknown kind. */
const runsMax = 5;

const runToEnd = async <Job extends LeasedJob, Outcome>(
  deps: RunDeps<Job, Outcome>,
  job: Job,
  signal: AbortSignal,
): Promise<void> => {
  const { run, finish, classify } = deps.jobs;
  const isBusy = (error: unknown): boolean => classify(error) === "busy";
  for (let runs = 0; runs < runsMax; runs++) {
    const result = await retryWhileBusy(() => run(job, signal), isBusy, signal);
    if (signal.aborted) return;
    if ("waitingSince" in result) return await retryUncounted(deps, job, result.waitingSince);
    if ((await finish(job, result.outcome)) !== "outdated") return;
  }
  throw new Error("Every outcome of the job was outdated when it was finished");
};

/** Never rejects. */
const afterError = async <Job extends LeasedJob, Outcome>(
  deps: RunDeps<Job, Outcome>,
  job: Job,
  error: unknown,
  signal: AbortSignal,
): Promise<void> => {
  const kind = signal.aborted ? "lost" : deps.jobs.classify(error);
  switch (judgeError(kind, job, deps.options)) {
    case "leave":
      return;
    case "retry uncounted":
      return await retryUncounted(deps, job, deps.jobs.waitingSince(job));
    case "fail":
      return await failJob(deps, job);
    case "retry":
      return await retry(deps, job, afterAttempt(deps.clock(), job.attempts, deps.options.leaseMs), true);
  }
};

/**
 * Finishes the job as failed: with the full outcome if possible, else with the minimal one. Never rejects.
 */
const failJob = async <Job extends LeasedJob, Outcome>(
  deps: RunDeps<Job, Outcome>,
  job: Job,
): Promise<void> => {
  const { jobs, onError } = deps;
  try {
    await jobs.finish(job, await jobs.fail(job));
  } catch (error) {
    onError("end as failed", job, error);
    if (jobs.classify(error) === "transient") return await retryUncounted(deps, job, jobs.waitingSince(job));
    await jobs.finish(job, jobs.minimalFailure(job)).catch((cause: unknown) => onError("end", job, cause));
  }
};

/** The pause grows with the wait. */
const retryUncounted = <Job extends LeasedJob, Outcome>(
  deps: RunDeps<Job, Outcome>,
  job: Job,
  waitingSince: Date,
): Promise<void> => retry(deps, job, afterWait(deps.clock(), waitingSince), false);

/** Never rejects. If the store rejects this too, the lease ends by itself. */
const retry = async <Job extends LeasedJob, Outcome>(
  { jobs, onError }: RunDeps<Job, Outcome>,
  job: Job,
  until: Date,
  isCounted: boolean,
): Promise<void> => {
  await jobs.retry(job, until, isCounted).catch((error: unknown) => onError("retry", job, error));
};
