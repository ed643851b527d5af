const pausedMsMin = 2_000;
const pausedMsMax = 5 * 60_000;

/** When to try again what has waited since then: after as long as that, so that the pauses double up to five minutes, whichever process counts. */
export const afterPause = (now: Date, since: Date): Date =>
  new Date(now.getTime() + Math.max(pausedMsMin, Math.min(pausedMsMax, now.getTime() - since.getTime())));
