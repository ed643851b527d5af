import type { WakeUpSignal } from "./wake-up-signal.ts";

export type SearchLoopDeps = {
  /** Searches for due work and starts it. `again`: search once more at once. */
  readonly search: () => Promise<"again" | "wait">;
  /** The pause before the next search. A wake-up ends it. */
  readonly pauseMs: () => number;
  readonly wakeUp: WakeUpSignal;
  /** Takes the error of a search. The next one comes after the pause. */
  readonly onError: (error: unknown) => void;
  /** Waits for the running work. */
  readonly end: () => Promise<unknown>;
};

/** A loop that searches for due work until it is stopped. */
export type SearchLoop = {
  readonly start: () => void;
  /** Searches for due work now. Without effect on a loop that has not started. */
  readonly wake: () => void;
  /** Starts no more work. Resolves when the running work has ended. */
  readonly stop: () => Promise<void>;
};

export const makeSearchLoop = ({ search, pauseMs, wakeUp, onError, end }: SearchLoopDeps): SearchLoop => {
  const stopping = new AbortController();
  let loop: Promise<void> | undefined;

  const repeat = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      const next = await search().catch((error: unknown) => {
        onError(error);
        return "wait" as const;
      });
      if (next === "wait" && !stopping.signal.aborted) await wakeUp.wait(pauseMs());
    }
    await end();
  };

  return {
    start: () => {
      loop ??= repeat();
    },
    wake: wakeUp.send,
    stop: async () => {
      stopping.abort();
      wakeUp.send();
      await loop;
    },
  };
};
