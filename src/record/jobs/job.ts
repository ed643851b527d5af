/** A job that this process holds under a lease. The job's row is in a store and survives the process. */
export type LeasedJob = {
  readonly id: string;
  /**
   * Number of leases so far, this one included. An uncounted retry and a lease that ended with a death do not
   * count.
   */
  readonly attempts: number;
  /**
   * Absent: no process died while it held the job. Else the job is poisoned: it runs alone, and this number
   * of processes died meanwhile.
   */
  readonly deaths?: number;
};

/**
 * What an error means for the job:
 * - `busy`: this service has no capacity now. Run again under the same lease. No attempt counts.
 * - `transient`: a dependency is down, or the process ends. Retry the job later. No attempt counts.
 * - `unknown`: the error may come back. Retry the job later. The attempt counts, and after the last one the
 *   job fails.
 * - `permanent`: no attempt can succeed. Fail the job now.
 * - `lost`: another lease holder has the job. Write nothing.
 */
export type ErrorKind = "busy" | "transient" | "unknown" | "permanent" | "lost";

/** No outcome yet. The job runs again after a pause that grows with the wait since this time. */
export type Retry = { readonly waitingSince: Date };

export type RunResult<Outcome> = { readonly outcome: Outcome } | Retry;

/**
 * `lost`: this process does not hold the lease any more. Nothing was written.
 * `outdated`: the data on which the outcome depends changed. Nothing was written, and the job must run again.
 */
export type FinishResult = "finished" | "lost" | "outdated";

/**
 * A lease starts now and ends after `leaseMs`. Each lease counts as an attempt.
 *
 * A service is killed in the middle of a validation. Without a lease the validation stays PENDING for ever,
 * as no other process sees that its worker is dead. Or another process takes it too early, and the slow
 * worker answers too. So a worker holds a job for a short time, and renews it while it lives. A dead worker
 * renews nothing: the time runs out, and the next worker takes the job. Every write names the holder, so a
 * worker that wakes up after that time finishes nothing.
 */
export type LeaseRequest = {
  readonly limit: number;
  readonly leaseMs: number;
  readonly now: Date;
  /**
   * Whether the leased job will run alone: `lease` then leases one poisoned job at most, and otherwise none
   * of them.
   */
  readonly isAlone: boolean;
  /** The jobs that the holder runs now. A lease of its own without a run is a lost answer of the store. */
  readonly running: readonly string[];
  /** False after an outage of the store, in which living holders could not renew their leases. */
  readonly endsLeases: boolean;
  /** Poisoned jobs with more deaths must wait for a process that has lived longer. */
  readonly deathsAllowed: number;
  /**
   * After this many deaths of processes that ran it alone, the job is leased only to be failed, beside other
   * jobs.
   */
  readonly deathsMax: number;
};

export type LeaseAnswer<Job> = {
  readonly jobs: readonly Job[];
  /**
   * Without `isAlone`: a poisoned job is due, and no process of the deployment runs one. Then no other job is
   * leased, so that this process comes to run nothing else.
   */
  readonly isPoisonedDue: boolean;
};

/**
 * Where jobs are stored. Every command names the lease holder, so that a lost lease writes nothing. A later
 * store gets the guarantees of the loop by passing `test/support/jobs/job-source-suite.ts`.
 */
export type JobSource<Job extends LeasedJob, Outcome> = {
  /**
   * Ends the leases whose time is over (`judgeEndedLease` has the rule), and leases due jobs: new ones, and
   * those that were to be retried from now on. Poisoned jobs come first, those with the fewest deaths before
   * others.
   */
  readonly lease: (request: LeaseRequest) => Promise<LeaseAnswer<Job>>;
  /** Sets the end of the lease. Returns false if another holder has the job or the job is finished. */
  readonly renew: (job: Job, until: Date) => Promise<boolean>;
  /** Ends the lease. The job is due again at `until`. `isCounted`: this attempt counts. */
  readonly retry: (job: Job, until: Date, isCounted: boolean) => Promise<unknown>;
  readonly finish: (job: Job, outcome: Outcome) => Promise<FinishResult>;
};

/** One kind of job: where it is stored, how it runs and how it fails. */
export type JobDefinition<Job extends LeasedJob, Outcome> = JobSource<Job, Outcome> & {
  /** Rejects with any error. `signal` aborts when the lease is lost. */
  readonly run: (job: Job, signal: AbortSignal) => Promise<RunResult<Outcome>>;
  /** The outcome of a job that failed permanently or used all its attempts. */
  readonly fail: (job: Job) => Promise<Outcome>;
  /** The smallest outcome of a failed job, for the case that `fail` or its commit fails. */
  readonly minimalFailure: (job: Job) => Outcome;
  readonly classify: (error: unknown) => ErrorKind;
  /** Start of the wait from which the pause after a transient error grows. */
  readonly waitingSince: (job: Job) => Date;
};
