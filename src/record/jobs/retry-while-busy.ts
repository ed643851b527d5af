import { sleep } from "./sleep.ts";

const pauseMsMin = 100;
const pauseMsMax = 2_000;

/**
 * Runs again, with longer pauses, while the error is `busy`. Rejects with any other error, or when the signal
 * aborts.
 */
export const retryWhileBusy = async <Result>(
  run: () => Promise<Result>,
  isBusy: (error: unknown) => boolean,
  signal: AbortSignal,
): Promise<Result> => {
  for (let pauseMs = pauseMsMin; ; pauseMs = Math.min(pauseMsMax, pauseMs * 2)) {
    try {
      return await run();
    } catch (error) {
      if (!isBusy(error) || signal.aborted) throw error;
    }
    await sleep(pauseMs);
  }
};
