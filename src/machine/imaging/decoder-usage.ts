import { readdirSync, readFileSync } from "node:fs";

/** Processor time in milliseconds of each thread of this process that decodes, by its number. */
export type DecoderUsage = ReadonlyMap<string, number>;

/**
 * Names of the threads in which sharp decodes: libvips and libuv give them (/proc/self/task/*\/stat,
 * proc_pid_stat(5)).
 */
const decoderNames: ReadonlySet<string> = new Set(["libvips worker", "libuv-worker"]);

/** Linux counts processor time in hundredths of a second for every program (USER_HZ, time(7)). */
const tickMs = 10;

/** Name and processor time from one line of /proc. The name is in brackets and may have brackets itself. */
const threadOf = (line: string): { readonly name: string; readonly ms: number } => {
  const end = line.lastIndexOf(")");
  const fields = line.slice(end + 2).split(" ");
  return {
    name: line.slice(line.indexOf("(") + 1, end),
    ms: (Number(fields[11]) + Number(fields[12])) * tickMs,
  };
};

/** A thread may end between the listing and the reading. */
const lineOf = (thread: string): string | undefined => {
  try {
    return readFileSync(`/proc/self/task/${thread}/stat`, "utf8");
  } catch {
    return undefined;
  }
};

/**
 * Reads the processor time of all decoding threads, in about a millisecond; undefined where there is no
 * /proc.
 */
export const readDecoderUsage = (): DecoderUsage | undefined => {
  try {
    const threads = readdirSync("/proc/self/task").flatMap((id) => {
      const line = lineOf(id);
      return line === undefined ? [] : [{ id, ...threadOf(line) }];
    });
    return new Map(threads.filter(({ name }) => decoderNames.has(name)).map(({ id, ms }) => [id, ms]));
  } catch {
    return undefined;
  }
};

/** The largest processor time, in milliseconds, that one thread took between two readings. */
export const busiestMs = (before: DecoderUsage, after: DecoderUsage): number =>
  Math.max(0, ...[...after].map(([id, ms]) => ms - (before.get(id) ?? 0)));
