/** Processor time of one thread, read from another one. Linux alone reports it. */
import { readFileSync, readlinkSync } from "node:fs";
import { basename } from "node:path";

/** Linux counts processor time in hundredths of a second for every program (USER_HZ, time(7)). */
const tickMs = 10;

/** The system's number of the calling thread; undefined where there is no /proc. */
export const currentThread = (): string | undefined => {
  try {
    return basename(readlinkSync("/proc/thread-self"));
  } catch {
    return undefined;
  }
};

/**
 * Processor time in milliseconds that a thread of this process has taken since its start (proc_pid_stat(5));
 * undefined where the system does not report it, or the thread has ended.
 */
export const readThreadMs = (thread: string): number | undefined => {
  try {
    const line = readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
    // The name is in brackets and may have brackets itself.
    const fields = line.slice(line.lastIndexOf(")") + 2).split(" ");
    return (Number(fields[11]) + Number(fields[12])) * tickMs;
  } catch {
    return undefined;
  }
};
