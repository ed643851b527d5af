/** Waits; rejects with the signal's reason when it is aborted. */
export const pause = (ms: number, signal: AbortSignal): Promise<void> =>
  new Promise((resolve, reject) => {
    signal.throwIfAborted();
    const stop = (): void => {
      clearTimeout(timer);
      reject(signal.reason);
    };
    const timer = setTimeout(() => {
      signal.removeEventListener("abort", stop);
      resolve();
    }, ms);
    signal.addEventListener("abort", stop, { once: true });
  });

/** As `pause`, but ends early when the browser reports that it is online again. */
export const pauseUntilOnline = async (ms: number, signal: AbortSignal): Promise<void> => {
  const end = new AbortController();
  const online = new Promise<void>((resolve) => {
    globalThis.addEventListener("online", () => resolve(), { once: true, signal: end.signal });
  });
  try {
    await Promise.race([pause(ms, signal), online]);
  } finally {
    end.abort();
  }
  signal.throwIfAborted();
};
