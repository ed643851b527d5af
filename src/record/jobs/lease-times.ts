export type LeaseTimes = {
  /** A lease that is not renewed for this time ends, and another process takes the job. */
  readonly leaseMs: number;
  /** Mean pause between two searches for due jobs. */
  readonly pollMs: number;
};

/** The pause between two searches varies, so that many processes do not search at the same moment. */
const jitter = 0.2;

/** One pause, of 80 to 120 % of the mean. */
export const pollPauseMs = ({ pollMs }: Pick<LeaseTimes, "pollMs">, random: () => number): number =>
  pollMs * (1 - jitter + 2 * jitter * random());

/** Two renewals may fail before the lease ends. */
export const renewEveryMs = ({ leaseMs }: Pick<LeaseTimes, "leaseMs">): number => leaseMs / 3;

/** Longest time from the death of a process until another process finds its jobs. */
export const resumeMsMax = ({ leaseMs, pollMs }: LeaseTimes): number => leaseMs + pollMs * (1 + jitter);
