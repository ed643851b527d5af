/**
 * One ask of a process for several waiting calls of one key. Every span is the time in which the key regains
 * a call's cost.
 */
export type RateAsk = {
  /** Microseconds for each waiting call, in the order of their arrival. */
  readonly spansUs: readonly number[];
  /** Microseconds that the asking process may take beyond these, for its next calls. */
  readonly spareUs: number;
  /** Microseconds in which an empty bucket fills. */
  readonly fullUs: number;
};

export type RateGrant = {
  /** Whether the call may run, for each waiting call. */
  readonly granted: readonly boolean[];
  /** Microseconds that were taken beyond the granted calls. */
  readonly spareUs: number;
  /** Microseconds until the bucket is full again. */
  readonly missingUs: number;
};

/**
 * Takes from a bucket that is full again in `missingUs`: each waiting call that fits, and the spare part only
 * if all of them fit. The bucket is never more than empty, also where the settings have made it smaller
 * since.
 */
export const takeFromBucket = (missingUs: number, { spansUs, spareUs, fullUs }: RateAsk): RateGrant => {
  let missing = Math.min(Math.max(0, missingUs), fullUs);
  const granted = spansUs.map((span) => {
    const fits = missing + span <= fullUs;
    if (fits) missing += span;
    return fits;
  });
  const spare = granted.every(Boolean) ? Math.max(0, Math.min(spareUs, fullUs - missing)) : 0;
  return { granted, spareUs: spare, missingUs: missing + spare };
};
