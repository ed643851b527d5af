/**
 * One instruction at a time: a new one stands still before it is shown, and the shown one stays for a while.
 */
export type Pace<Code> = {
  /** What is shown; undefined: nothing. */
  readonly shown: Code | undefined;
  readonly shownAt: number;
  /** What the frames say now, and since when. */
  readonly candidate: Code | undefined;
  readonly since: number;
};

/** Milliseconds; the figures of the design of guidance: readable, and no flicker. */
export const paceLimits = { stableMs: 300, shownMs: 800 } as const;

export const startPace = <Code>(now: number): Pace<Code> => ({
  shown: undefined,
  shownAt: Number.NEGATIVE_INFINITY,
  candidate: undefined,
  since: now,
});

/** The pace after a frame that says `code`. */
export const pace = <Code>(before: Pace<Code>, code: Code | undefined, now: number): Pace<Code> => {
  const current = code === before.candidate ? before : { ...before, candidate: code, since: now };
  const isStable = now - current.since >= paceLimits.stableMs;
  const mayChange = now - current.shownAt >= paceLimits.shownMs;
  return code !== current.shown && isStable && mayChange
    ? { ...current, shown: code, shownAt: now }
    : current;
};
