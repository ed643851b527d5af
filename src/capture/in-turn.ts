/**
 * Runs at most `runningMax` works at once; others wait in their order. A waiting work whose signal aborts leaves. So captures never hold
 * every inference thread, and the calls of integrators go on beside them.
 */
export const makeInTurn = (runningMax: number) => {
  const waiting: { readonly start: () => void }[] = [];
  let running = 0;
  const enter = (signal: AbortSignal): Promise<void> => {
    signal.throwIfAborted();
    if (running < runningMax) {
      running += 1;
      return Promise.resolve();
    }
    return new Promise((start, leave) => {
      const place = { start };
      waiting.push(place);
      signal.addEventListener("abort", () => {
        const at = waiting.indexOf(place);
        if (at === -1) return;
        waiting.splice(at, 1);
        leave(signal.reason);
      });
    });
  };
  /** The next work takes over the place. */
  const exit = (): void => {
    const next = waiting.shift();
    if (next === undefined) running -= 1;
    else next.start();
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
