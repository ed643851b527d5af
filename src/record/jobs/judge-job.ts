import type { ErrorKind, LeasedJob } from "./job.ts";

/** The limits after which a job fails. */
export type JobLimits = {
  /** Runs that end with an error of unknown kind. */
  readonly attemptsMax: number;
  /** Deaths of processes that ran the job alone. */
  readonly loneDeathsMax: number;
};

/**
 * The lone deaths of a job whose lease ran out before its holder finished or returned it. `undefined` is a job that is no
 * suspect. A death makes a job a suspect (0). A suspect runs alone, so each further death counts against it. A holder
 * that finds a lease of its own without a run lost the answer of the store, and no process died.
 */
export const judgeEndedLease = (
  loneDeaths: number | undefined,
  holder: "dead" | "alive",
): number | undefined => {
  if (holder === "alive") return loneDeaths;
  return loneDeaths === undefined ? 0 : loneDeaths + 1;
};

/**
 * A suspect with one lone death runs again in a process that has lived for half a minute, and after each further death
 * four times longer. A service that is killed again and again lives shorter than that, and then its deaths are no sign
 * against a job (docs/decisions/0034-deaths-of-a-process.md has the figures).
 */
const firstUptimeMs = 30_000;
const uptimeGrowth = 4;

/** Shortest life of a process in which a suspect with this number of lone deaths may run. */
export const uptimeMsMin = (loneDeaths: number): number =>
  loneDeaths === 0 ? 0 : firstUptimeMs * uptimeGrowth ** (loneDeaths - 1);

/** The most lone deaths of a suspect that may run in a process that has lived for this time. */
export const judgeSuspects = (
  uptimeMs: number,
  { loneDeathsMax }: Pick<JobLimits, "loneDeathsMax">,
): number => {
  let allowed = 0;
  while (allowed + 1 < loneDeathsMax && uptimeMs >= uptimeMsMin(allowed + 1)) allowed += 1;
  return allowed;
};

/** The next step of a job that was just leased. */
export const judgeLeased = (
  { attempts, loneDeaths = 0 }: LeasedJob,
  { attemptsMax, loneDeathsMax }: JobLimits,
): "run" | "fail" => (attempts > attemptsMax || loneDeaths >= loneDeathsMax ? "fail" : "run");

/** The next step of a job whose run ended with an error, within the lease (`leave`: the job has another holder). */
export const judgeError = (
  kind: ErrorKind,
  { attempts }: Pick<LeasedJob, "attempts">,
  { attemptsMax }: Pick<JobLimits, "attemptsMax">,
): "leave" | "postpone" | "fail" | "give back" => {
  if (kind === "lost") return "leave";
  if (kind === "transient") return "postpone";
  // A run is repeated while it is busy: such an error came from another step, and counts like one of unknown kind.
  return kind === "permanent" || attempts >= attemptsMax ? "fail" : "give back";
};
