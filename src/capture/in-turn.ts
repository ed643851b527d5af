/**
 * Runs at most `runningMax` works at once; others wait in their order. A waiting work whose signal aborts leaves. So captures never hold
 * every inference thread, and the calls of integrators go on beside them.
 */
export const makeInTurn = (runningMax: number) => {
  /** Start functions, in their order. */
  const waiting = new Set<() => void>();
  let running = 0;
  const enter = (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (running < runningMax) {
      running += 1;
      return Promise.resolve();
    }
    const { promise: started, resolve: start, reject } = Promise.withResolvers<void>();
    waiting.add(start);
    const leave = (): void => {
      if (waiting.delete(start)) reject(signal.reason);
    };
    signal.addEventListener("abort", leave, { once: true });
    // Node holds a composed signal while it has a listener, and with it the whole call.
    return started.finally(() => signal.removeEventListener("abort", leave));
  };
  /** The next work takes over the place. */
  const exit = (): void => {
    const [next] = waiting;
    if (next === undefined) running -= 1;
    else {
      waiting.delete(next);
      next();
    }
  };
  return async <Answer>(work: () => Promise<Answer>, signal: AbortSignal): Promise<Answer> => {
    await enter(signal);
    try {
      return await work();
    } finally {
      exit();
    }
  };
};
