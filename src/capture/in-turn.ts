type Waiting = { readonly since: number; readonly start: () => void };

/**
 * Runs at most `runningMax` works at once; of the others the one that waits for the longest starts next. `since` (ms) orders them: a
 * caller that comes back after a time-out keeps its place. A waiting work whose signal aborts leaves. So captures never hold every
 * inference thread, and the calls of integrators go on beside them.
 */
export const makeInTurn = (runningMax: number) => {
  const waiting = new Set<Waiting>();
  let running = 0;
  const enter = (since: number, signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (running < runningMax) {
      running += 1;
      return Promise.resolve();
    }
    const { promise: started, resolve: start, reject } = Promise.withResolvers<void>();
    const place = { since, start };
    waiting.add(place);
    const leave = (): void => {
      if (waiting.delete(place)) reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    // Node holds a composed signal while it has a listener, and with it the whole call.
    return started.finally(() => signal.removeEventListener("abort", leave));
  };
  /** The next work takes over the place. Of two that came at once, the one that waits for the longest here. */
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
  return async <Answer>(work: () => Promise<Answer>, since: number, signal: AbortSignal): Promise<Answer> => {
    await enter(since, signal);
    try {
      return await work();
    } finally {
      exit();
    }
  };
};
