import { readlinkSync } from "node:fs";
import { setPriority } from "node:os";
import { basename } from "node:path";

/** About a third of the weight of a thread with niceness 0 (sched(7)). */
const niceness = 5;

/**
 * Lowers the priority of the calling thread. While inference uses all cores, the thread that answers requests
 * then waits one time slice at most. Linux alone has a priority for each thread; on other systems nothing
 * happens.
 */
export const stepBack = (): void => {
  if (process.platform !== "linux") return;
  try {
    setPriority(Number(basename(readlinkSync("/proc/thread-self"))), niceness);
  } catch {
    // A sandbox without /proc or without the call: the priority does not change.
  }
};
