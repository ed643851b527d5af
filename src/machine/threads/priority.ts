import { setPriority } from "node:os";
import { currentThread } from "./thread-time.ts";

/** About a third of the weight of a thread with niceness 0 (sched(7)). */
const niceness = 5;

/**
 * Lowers the priority of the calling thread. While inference uses all cores, the thread that answers requests
 * then waits one time slice at most. Linux alone has a priority for each thread; on other systems nothing
 * happens.
 */
export const stepBack = (): void => {
  const thread = process.platform === "linux" ? currentThread() : undefined;
  if (thread === undefined) return;
  try {
    setPriority(Number(thread), niceness);
  } catch {
    // A sandbox without the call: the priority does not change.
  }
};
