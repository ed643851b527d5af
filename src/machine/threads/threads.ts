import type { Transferable } from "node:worker_threads";
import { Piscina } from "piscina";
import { Failure } from "#contract/failure";
import type { Meter } from "./meter.ts";
import type { TaskAnswer, TaskMessage } from "./task.ts";
import { askToEnd, makeEnding } from "./unbroken.ts";

export type ThreadOptions = {
  /** Module that exports `runTask`: a promise of {@link serveTasks} that resolves when the thread is warm. */
  readonly worker: URL;
  readonly workers: number;
  /** Threads that start at once. The others start when these are busy, and stay. Default: all. */
  readonly startedAtOnce?: number;
  /**
   * Longest run of a task. Then its thread is ended, after a network run that is under way
   * ({@link askToEnd}).
   */
  readonly taskMsMax: number;
  /**
   * JavaScript heap of a thread; images and networks are not in it. A thread whose heap grows past it in
   * small steps is ended. A thread that allocates tens of megabytes of objects at once ends the process (a
   * limit of Node), so leave a margin.
   */
  readonly heapMbMax: number;
  /** Given to the threads as their `workerData`. */
  readonly workerData: unknown;
  /** Called with the reason for every thread that dies, not for a task that fails. */
  readonly onDeath: (cause: unknown) => void;
};

/** Threads without a queue. Made by {@link makeThreads}. */
export type Threads = {
  /**
   * Runs a task in an idle thread. Fails with timed_out | engine_failed, or with the reason of `end`; the
   * thread is replaced in each case.
   */
  readonly run: <Value>(
    message: TaskMessage,
    transfer: readonly Transferable[],
    end?: AbortSignal,
  ) => Promise<TaskAnswer<Value>>;
  /** Resolves when every thread that starts at once is warm. Rejects if one cannot start. */
  readonly ready: Promise<void>;
  readonly alive: () => number;
  readonly end: () => Promise<void>;
};

/**
 * `atomics` is off: a thread that sleeps in Atomics.wait does not run its event loop, so it never frees the
 * memory of finished images. Idle threads wait for a message in both cases and cost nothing.
 */
const startThreads = ({ worker, workers, heapMbMax, workerData }: ThreadOptions, startedAtOnce: number) =>
  new Piscina<TaskMessage>({
    filename: worker.href,
    name: "runTask",
    minThreads: startedAtOnce,
    maxThreads: workers,
    idleTimeout: Infinity,
    maxQueue: 2 * workers + 8,
    concurrentTasksPerWorker: 1,
    atomics: "disabled",
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    recordTiming: false,
    workerData,
  });

/**
 * Sends one empty task for each of `count` threads. Each idle thread takes one and answers when it is warm.
 */
const warm = async (threads: Piscina<TaskMessage>, count: number): Promise<void> => {
  try {
    await Promise.all(Array.from({ length: count }, () => threads.run({})));
  } catch (error) {
    await threads.destroy();
    throw error;
  }
};

/**
 * A signal that aborts with `asked`, after the thread has come to where it may be ended. `release` when the
 * task is over: Node holds a composed signal while it has a listener, and with it the whole call.
 */
const endable = (asked: AbortSignal, askThread: () => Promise<void>) => {
  const ended = new AbortController();
  const end = (): void => void askThread().then(() => ended.abort(asked.reason));
  if (asked.aborted) ended.abort(asked.reason);
  else asked.addEventListener("abort", end, { once: true });
  return { signal: ended.signal, release: () => asked.removeEventListener("abort", end) };
};

/**
 * Threads that load the worker module, each with its own networks. A thread that dies or hangs is replaced.
 */
export const makeThreads = (options: ThreadOptions, meter: Pick<Meter, "count">): Threads => {
  const { workers, startedAtOnce = workers, taskMsMax } = options;
  const threads = startThreads(options, startedAtOnce);
  const died = (cause: unknown): void => {
    meter.count("died");
    options.onDeath(cause);
  };
  threads.on("error", died);
  const run: Threads["run"] = async (message, transfer, end) => {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(new Failure("timed_out", { msMax: taskMsMax })), taskMsMax);
    const asked = end === undefined ? deadline.signal : AbortSignal.any([deadline.signal, end]);
    const ending = makeEnding();
    const { signal, release } = endable(asked, () => askToEnd(ending, taskMsMax));
    try {
      const answer = await threads.run({ ...message, ending }, { signal, transferList: [...transfer] });
      asked.throwIfAborted();
      return answer;
    } catch (cause) {
      if (asked.aborted) {
        meter.count("timedOut");
        throw asked.reason;
      }
      died(cause);
      throw new Failure("engine_failed", {}, { cause });
    } finally {
      clearTimeout(timer);
      release();
    }
  };
  return {
    run,
    ready: warm(threads, startedAtOnce),
    alive: () => threads.threads.length,
    end: () => threads.destroy(),
  };
};
