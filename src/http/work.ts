import type { ServerResponse } from "node:http";
import { Failure } from "#contract/failure";

export type Works = {
  /**
   * Runs one handler within its time. Fails with timed_out, shutting_down, or the reason of a disconnected
   * caller. In each case the handler's signal aborts too, and its further results are ignored.
   */
  readonly run: <Result>(
    response: ServerResponse,
    handle: (signal: AbortSignal) => Promise<Result>,
  ) => Promise<Result>;
  readonly inFlight: () => number;
  /** Resolves when no handler runs, at the latest after `waitMs`, when the rest has been aborted. */
  readonly drain: (waitMs: number) => Promise<void>;
};

/** The running handlers of a server. */
export const makeWorks = (timeoutMs: number): Works => {
  const running = new Set<AbortController>();
  let onIdle: (() => void) | undefined;
  const run: Works["run"] = async (response, handle) => {
    const control = new AbortController();
    const timer = setTimeout(() => control.abort(new Failure("timed_out")), timeoutMs);
    const leave = () => {
      if (!response.writableFinished) control.abort(new Error("The caller left"));
    };
    response.once("close", leave);
    running.add(control);
    try {
      return await Promise.race([handle(control.signal), rejectOnAbort(control.signal)]);
    } finally {
      clearTimeout(timer);
      response.off("close", leave);
      running.delete(control);
      if (running.size === 0) onIdle?.();
    }
  };
  const drain = async (waitMs: number): Promise<void> => {
    if (running.size === 0) return;
    const idle = new Promise<void>((resolve) => {
      onIdle = resolve;
    });
    const timer = setTimeout(() => {
      for (const control of running) control.abort(new Failure("shutting_down"));
    }, waitMs);
    await idle;
    clearTimeout(timer);
  };
  return { run, inFlight: () => running.size, drain };
};

const rejectOnAbort = (signal: AbortSignal): Promise<never> =>
  new Promise((_, reject) => {
    signal.addEventListener("abort", () => reject(signal.reason), { once: true });
  });
