import type { ErrorKind, LeasedJob } from "./job.ts";

/** The limits after which a job fails. */
export type JobLimits = {
  /** Runs that end with an error of unknown kind. */
  readonly attemptsMax: number;
  /** Deaths of processes that ran the job alone. */
  readonly deathsMax: number;
};

/**
 * The deaths of a job whose lease ran out before its holder ended it. `undefined` is a job that is not
 * poisoned. A death poisons the job (0). A poisoned job runs alone, so each further death counts against it.
 * A holder that finds a lease of its own without a run lost the answer of the store, and no process died.
 */
export const judgeEndedLease = (deaths: number | undefined, holder: "dead" | "alive"): number | undefined => {
  if (holder === "alive") return deaths;
  return deaths === undefined ? 0 : deaths + 1;
};

/**
 * A poisoned job with one death runs again in a process that has lived for half a minute, and after each
 * further death four times longer. A service that is killed again and again lives shorter than that, and then
 * its deaths are no sign against a job (docs/decisions/0034-deaths-of-a-process.md has the figures).
 */
const firstUptimeMs = 30_000;
const uptimeGrowth = 4;

/** Shortest life of a process in which a poisoned job with this number of deaths may run. */
export const uptimeMsMin = (deaths: number): number =>
  deaths === 0 ? 0 : firstUptimeMs * uptimeGrowth ** (deaths - 1);

/** The most deaths of a poisoned job that may run in a process that has lived for this time. */
export const judgePoisoned = (uptimeMs: number, { deathsMax }: Pick<JobLimits, "deathsMax">): number => {
  let allowed = 0;
  while (allowed + 1 < deathsMax && uptimeMs >= uptimeMsMin(allowed + 1)) allowed += 1;
  return allowed;
};

/** The next step of a job that was just leased. */
export const judgeLeased = (
  { attempts, deaths = 0 }: LeasedJob,
  { attemptsMax, deathsMax }: JobLimits,
): "run" | "fail" => (attempts > attemptsMax || deaths >= deathsMax ? "fail" : "run");

/**
 * The next step of a job whose run ended with an error, within the lease (`leave`: the job has another
 * holder).
 */
export const judgeError = (
  kind: ErrorKind,
  { attempts }: Pick<LeasedJob, "attempts">,
  { attemptsMax }: Pick<JobLimits, "attemptsMax">,
): "leave" | "retry" | "retry uncounted" | "fail" => {
  if (kind === "lost") return "leave";
  if (kind === "transient") return "retry uncounted";
  // A run is repeated while it is busy: such an error came from another step, and counts like one of unknown
  // kind.
  return kind === "permanent" || attempts >= attemptsMax ? "fail" : "retry";
};
