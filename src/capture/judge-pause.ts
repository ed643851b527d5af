import type { CapturePolicy } from "./policy.ts";

type PausePolicy = Pick<CapturePolicy, "failuresMax" | "failureWindowMs" | "pauseMs">;

/** How far back failures count: the first of a series may be as old as its window and the pause together. */
export const failuresSince = (now: Date, { failureWindowMs, pauseMs }: PausePolicy): Date =>
  new Date(now.getTime() - failureWindowMs - pauseMs);

/** Seconds that a person or an address waits after these failures; 0 where it does not. */
export const judgePause = (
  failures: readonly Date[],
  now: Date,
  { failuresMax, failureWindowMs, pauseMs }: PausePolicy,
): number => {
  const times = failures.map((at) => at.getTime()).sort((one, other) => one - other);
  const ends = times.flatMap((last, at) => {
    const first = times[at - failuresMax + 1];
    return first !== undefined && last - first <= failureWindowMs ? [last + pauseMs] : [];
  });
  const waitMs = Math.max(0, ...ends) - now.getTime();
  return waitMs > 0 ? Math.ceil(waitMs / 1000) : 0;
};
