import { constants } from "node:os";

/** npm hands on the Ctrl-C that the terminal has already sent to its whole process group: both are one wish. */
const echoMs = 500;

/**
 * Aborted by the first SIGTERM or SIGINT. Another one ends the process at once with the shell's code for it (128 + its
 * number), unless it comes so soon that it is the same one again.
 */
export const listenForEnd = (): AbortSignal => {
  const ending = new AbortController();
  let firstAt: number | undefined;
  const end = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    firstAt ??= now;
    if (now - firstAt > echoMs) {
      process.exit(128 + constants.signals[signal]);
    }
    ending.abort();
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  return ending.signal;
};

/** Resolves with undefined when the signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve(undefined);
    }
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
