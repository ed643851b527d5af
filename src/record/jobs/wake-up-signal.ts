export type WakeUpSignal = {
  readonly send: () => void;
  /** Resolves at the next signal or after this time. A signal that came before the wait ends it at once. */
  readonly wait: (ms: number) => Promise<void>;
};

/** Ends a pause early. One waiter at a time. */
export const makeWakeUpSignal = (): WakeUpSignal => {
  let isSent = false;
  let endWait: (() => void) | undefined;
  return {
    send: () => {
      isSent = true;
      endWait?.();
    },
    wait: async (ms) => {
      if (!isSent) {
        const { promise, resolve } = Promise.withResolvers<void>();
        const timer = setTimeout(resolve, ms);
        endWait = resolve;
        await promise;
        clearTimeout(timer);
        endWait = undefined;
      }
      isSent = false;
    },
  };
};
