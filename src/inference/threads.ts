import { Piscina } from "piscina";
import { Failure } from "../contract/failure.ts";
import type { Meter } from "./meter.ts";
import type { TaskAnswer, TaskMessage } from "./task.ts";

export type ThreadOptions = {
  /** Module that exports `runTask`: a promise of what serveTasks makes, which resolves when the thread is warm. */
  readonly worker: URL;
  readonly workers: number;
  /** Time that a task may run before its thread is ended. */
  readonly taskMsMax: number;
  /**
   * JavaScript heap of a thread; pictures and networks live outside it. Ends a thread whose heap grows in small steps;
   * one that asks for tens of megabytes of objects at once takes the process down (Node's limit), so give it room.
   */
  readonly heapMbMax: number;
  /** Given to the threads as their `workerData`. */
  readonly workerData: unknown;
  /** Told of every thread that dies, with the reason; never of a task's own failure. */
  readonly onDeath: (cause: unknown) => void;
};

export type Threads = {
  /** Runs a task in an idle thread. Fails with timed_out | engine_failed; the thread is replaced either way. */
  readonly run: <Value>(message: TaskMessage, transfer: readonly ArrayBuffer[]) => Promise<TaskAnswer<Value>>;
  readonly ready: Promise<void>;
  readonly alive: () => number;
  readonly end: () => Promise<void>;
};

/**
 * `atomics` off: a thread that sleeps in Atomics.wait never turns its event loop, and so never frees the memory
 * of finished pictures. Idle threads wait for a message either way and cost nothing.
 */
const startThreads = ({ worker, workers, heapMbMax, workerData }: ThreadOptions) =>
  new Piscina<TaskMessage>({
    filename: worker.href,
    name: "runTask",
    minThreads: workers,
    maxThreads: workers,
    maxQueue: 2 * workers + 8,
    concurrentTasksPerWorker: 1,
    atomics: "disabled",
    resourceLimits: { maxOldGenerationSizeMb: heapMbMax },
    recordTiming: false,
    workerData,
  });

/** As many empty tasks as threads: each idle thread takes one, and answers it when it is warm. */
const warm = async (threads: Piscina<TaskMessage>, workers: number): Promise<void> => {
  try {
    await Promise.all(Array.from({ length: workers }, () => threads.run({})));
  } catch (error) {
    await threads.destroy();
    throw error;
  }
};

/** Threads that load the worker module, each with its own networks, and are replaced when they die or hang. */
export const makeThreads = (options: ThreadOptions, meter: Pick<Meter, "count">): Threads => {
  const { workers, taskMsMax } = options;
  const threads = startThreads(options);
  const died = (cause: unknown): void => {
    meter.count("died");
    options.onDeath(cause);
  };
  threads.on("error", died);
  const run: Threads["run"] = async (message, transfer) => {
    const deadline = new AbortController();
    const timer = setTimeout(() => deadline.abort(), taskMsMax);
    try {
      return await threads.run(message, { signal: deadline.signal, transferList: [...transfer] });
    } catch (cause) {
      if (deadline.signal.aborted) {
        meter.count("timedOut");
        throw new Failure("timed_out", { msMax: taskMsMax });
      }
      died(cause);
      throw new Failure("engine_failed", {}, { cause });
    } finally {
      clearTimeout(timer);
    }
  };
  return {
    run,
    ready: warm(threads, workers),
    alive: () => threads.threads.length,
    end: () => threads.destroy(),
  };
};
