const waitMsMin = 2_000;
const waitMsMax = 5 * 60_000;

/**
 * Time of the next try after a transient error: the wait so far doubles, between two seconds and five
 * minutes.
 */
export const afterWait = (now: Date, waitingSince: Date): Date =>
  new Date(now.getTime() + Math.max(waitMsMin, Math.min(waitMsMax, now.getTime() - waitingSince.getTime())));

/**
 * Time of the next try after a failed attempt: two seconds after the first, then four times longer, at most
 * `msMax`.
 */
export const afterAttempt = (now: Date, attempts: number, msMax: number): Date =>
  new Date(now.getTime() + Math.min(msMax, 500 * 4 ** attempts));
