import { Failure } from "#contract/failure";

export type Works = {
  /**
   * Runs one handler within its time. Fails with timed_out, shutting_down, or the reason of `caller`, the
   * signal of a disconnected caller. In each case the handler's signal aborts too, and its further results
   * are ignored.
   */
  readonly run: <Result>(
    caller: AbortSignal,
    handle: (signal: AbortSignal) => Promise<Result>,
  ) => Promise<Result>;
  /** Ends every running handler, and refuses every later one, with shutting_down. */
  readonly stop: () => void;
};

/** The running handlers of a server. */
export const makeWorks = (timeoutMs: number): Works => {
  const stopping = new AbortController();
  const run: Works["run"] = async (caller, handle) => {
    const time = new AbortController();
    const timer = setTimeout(() => time.abort(new Failure("timed_out")), timeoutMs);
    const signal = AbortSignal.any([caller, stopping.signal, time.signal]);
    const aborted = Promise.withResolvers<never>();
    const abort = (): void => aborted.reject(signal.reason);
    signal.addEventListener("abort", abort, { once: true });
    try {
      signal.throwIfAborted();
      return await Promise.race([handle(signal), aborted.promise]);
    } finally {
      clearTimeout(timer);
      // Node holds a composed signal while it has a listener, and with it the whole call.
      signal.removeEventListener("abort", abort);
    }
  };
  return { run, stop: () => stopping.abort(new Failure("shutting_down")) };
};
