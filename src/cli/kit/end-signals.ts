import { constants } from "node:os";

/**
 * npm repeats the Ctrl-C that the terminal has already sent to the whole process group: both are one request.
 */
const echoMs = 500;

/** The shell's exit code for a process that this signal ended. */
const codeOf = (signal: NodeJS.Signals): number => 128 + constants.signals[signal];

/**
 * Aborted by the first SIGTERM or SIGINT, which is its reason. A second signal ends the process at once with
 * the shell's exit code for it (128 + its number), unless it follows so soon that it is an echo of the first.
 */
export const listenForEnd = (): AbortSignal => {
  const ending = new AbortController();
  let firstAt: number | undefined;
  const end = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    firstAt ??= now;
    if (now - firstAt > echoMs) {
      process.exit(codeOf(signal));
    }
    ending.abort(signal);
  };
  process.on("SIGTERM", end);
  process.on("SIGINT", end);
  return ending.signal;
};

/** The shell's exit code for work that the signal of {@link listenForEnd} ended early. */
export const endedCode = ({ reason }: AbortSignal): number =>
  codeOf(reason === "SIGTERM" ? "SIGTERM" : "SIGINT");

/** Resolves with undefined when the signal is aborted. */
export const aborted = (signal: AbortSignal): Promise<undefined> =>
  new Promise((resolve) => {
    if (signal.aborted) {
      resolve(undefined);
    }
    signal.addEventListener("abort", () => resolve(undefined), { once: true });
  });
