import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";

/** Weight of about a third against a thread that is not nice (sched(7)). */
const niceness = 5;

/**
 * Lets the other threads of the process go first: whoever answers requests waits for a core no longer than a turn
 * takes, while inference fills them all. Linux knows priorities of threads; elsewhere nothing happens.
 */
export const stepBack = (): void => {
  if (process.platform !== "linux") return;
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), niceness);
  } catch {
    // A sandbox without /proc or without the call: the priorities stay as they are.
  }
};
