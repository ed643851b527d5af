import { pause } from "./clock.ts";

export type SessionEnd = {
  /** Milliseconds until the session ends; undefined once that means nothing any more. */
  readonly leftMs: () => number | undefined;
  readonly warn: () => void;
  readonly over: () => Promise<void>;
};

/**
 * WCAG 2.2, 2.2.1: the page warns the person before the time is over. A session has a fixed end, so none can
 * be added.
 */
export const warnMs = 60_000;
/** A page that slept is late by this at most. */
const checkMsMax = 15_000;

/** Warns a minute before the end of the session, and reports the end. Ends with the element. */
export const watchEnd = async ({ leftMs, warn, over }: SessionEnd, signal: AbortSignal): Promise<void> => {
  let isWarned = false;
  try {
    for (let left = leftMs(); left !== undefined && left > 0; left = leftMs()) {
      if (left <= warnMs && !isWarned) {
        isWarned = true;
        warn();
      }
      const untilNext = left > warnMs ? left - warnMs : left;
      await pause(Math.min(checkMsMax, Math.max(1, untilNext)), signal);
    }
    if (leftMs() !== undefined) await over();
  } catch {
    // The element is gone, or the service is out of reach: the next call of the person meets the end.
  }
};
