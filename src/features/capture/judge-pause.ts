import type { CapturePolicy } from "./policy.ts";

type PausePolicy = Pick<CapturePolicy, "failuresMax" | "failureWindowMs" | "pauseMs">;
type AddressPolicy = Pick<CapturePolicy, "addressFailuresMax" | "addressWindowMs">;

/** How long failures count: the first of a series may be as old as its window and the pause together. */
export const failuresKeptMs = ({
  failureWindowMs,
  pauseMs,
  addressWindowMs,
}: PausePolicy & AddressPolicy): number => Math.max(failureWindowMs + pauseMs, addressWindowMs);

/** How far back failures count. */
export const failuresSince = (now: Date, policy: PausePolicy & AddressPolicy): Date =>
  new Date(now.getTime() - failuresKeptMs(policy));

/** Seconds that a customer, a page key or a session waits after these failures; 0 where it does not. */
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
  return secondsUntil(Math.max(0, ...ends), now);
};

/** Seconds until an address has some budget again after these failures; 0 where it has some. */
export const judgeAddress = (
  failures: readonly Date[],
  now: Date,
  { addressFailuresMax, addressWindowMs }: AddressPolicy,
): number => {
  const ends = failures.map((at) => at.getTime() + addressWindowMs).sort((one, other) => other - one);
  return secondsUntil(ends[addressFailuresMax - 1] ?? 0, now);
};

const secondsUntil = (endMs: number, now: Date): number => {
  const waitMs = endMs - now.getTime();
  return waitMs > 0 ? Math.ceil(waitMs / 1000) : 0;
};
