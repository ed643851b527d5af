/** The place of a work: `since` (ms since 1970) orders the works that wait. */
export type Place = { readonly id: string; readonly since: number };

/** Works that run in the order of their places. Made by {@link makeInTurn}. */
export type InTurn = {
  /** Runs a work in its turn. Rejects with the signal's reason where that aborts before. */
  readonly run: <Answer>(work: () => Promise<Answer>, place: Place, signal: AbortSignal) => Promise<Answer>;
  /**
   * How many works run or wait before this work, at least 1. Undefined if it does not wait in this process.
   */
  readonly countAhead: (id: string) => number | undefined;
};

type Waiting = Place & { readonly start: () => void };

/**
 * Runs at most `runningMax` works at once. When one ends, the work that has waited longest starts. A caller
 * that comes back after a time-out keeps its place. A waiting work whose signal aborts leaves. So captures
 * never hold every inference thread, and the calls of integrators go on beside them.
 */
export const makeInTurn = (runningMax: number): InTurn => {
  const waiting = new Set<Waiting>();
  let running = 0;
  const enter = (of: Place, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (running < runningMax) {
      running += 1;
      return Promise.resolve();
    }
    const { promise: started, resolve: start, reject } = Promise.withResolvers<void>();
    const place = { ...of, start };
    waiting.add(place);
    const leave = (): void => {
      if (waiting.delete(place)) reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    // Node holds a composed signal while it has a listener, and with it the whole call.
    return started.finally(() => signal.removeEventListener("abort", leave));
  };
  /**
   * The next work takes over the place. If two works came at the same time, the one that entered first is
   * next.
   */
  const exit = (): void => {
    const [first, ...others] = waiting;
    if (first === undefined) {
      running -= 1;
      return;
    }
    const next = others.reduce((earliest, one) => (one.since < earliest.since ? one : earliest), first);
    waiting.delete(next);
    next.start();
  };
  return {
    run: async (work, place, signal) => {
      await enter(place, signal);
      try {
        return await work();
      } finally {
        exit();
      }
    },
    countAhead: (id) => {
      const all = [...waiting];
      const at = all.findIndex((one) => one.id === id);
      const own = all[at];
      if (own === undefined) return undefined;
      // If two works came at the same time, the one that entered first is ahead (`exit`).
      return (
        running + all.filter(({ since }, i) => since < own.since || (since === own.since && i < at)).length
      );
    },
  };
};
