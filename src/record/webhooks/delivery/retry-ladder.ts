const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;

/**
 * Pauses before each attempt, in milliseconds: ten attempts within 75 hours and 35 minutes. The ladder is
 * that of the Standard Webhooks specification, section 'Retry schedule'.
 */
export const standardLadder: readonly number[] = [
  0,
  5 * second,
  5 * minute,
  30 * minute,
  2 * hour,
  5 * hour,
  10 * hour,
  14 * hour,
  20 * hour,
  24 * hour,
];

/** Each pause varies by this share, so that deliveries of one outage do not come back at one moment. */
const jitter = 0.2;

/** A receiver can prolong a pause to twice its length, and no further: else it could stop the ladder. */
const retryAfterMax = 2;

export type Failed = {
  /** Failed attempts on this ladder, this one included. */
  readonly failures: number;
  readonly at: Date;
  /** `Retry-After` of the answer. */
  readonly retryAfterMs?: number | undefined;
};

/** Time of the next attempt, or undefined after the last one. `random` is between 0 and 1. */
export const judgeRetry = (
  { failures, at, retryAfterMs = 0 }: Failed,
  random: number,
  ladder: readonly number[] = standardLadder,
): Date | undefined => {
  const pauseMs = ladder[failures];
  if (pauseMs === undefined) return undefined;
  const variedMs = pauseMs * (1 - jitter + 2 * jitter * random);
  const wantedMs = Math.min(Math.max(variedMs, retryAfterMs), variedMs * retryAfterMax);
  return new Date(at.getTime() + Math.round(wantedMs));
};
