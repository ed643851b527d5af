import type { Transferable } from "node:worker_threads";
import { Failure } from "#contract/failure";
import { type Admission, makeAdmission } from "./admission.ts";
import { type Meter, makeMeter, type PoolReadings } from "./meter.ts";
import type { TaskAnswer, TaskInput, TaskResult, TaskTable } from "./task.ts";
import { makeThreads, type ThreadOptions } from "./threads.ts";

export type PoolOptions = ThreadOptions & {
  /** Most tasks that wait for a thread. One more is refused with engine_busy. */
  readonly queueMax: number;
};

export type RunOptions = {
  /** Its abort removes a waiting task from the queue. A running task finishes, and its result is dropped. */
  readonly signal?: AbortSignal;
  /** Buffers and ports to hand over instead of copying. The caller cannot use them afterwards. */
  readonly transfer?: readonly Transferable[];
  /**
   * Its abort ends the thread while it runs this task: the caller gets the reason, and the thread is
   * replaced.
   */
  readonly end?: AbortSignal;
  /** A later step of an admitted call: never refused with engine_busy, and next in the queue. */
  readonly continues?: boolean;
};

/** Threads behind a bounded queue. Made by {@link makePool}. */
export type Pool<Tasks extends TaskTable> = {
  /**
   * Runs a task in a thread. Fails as the task, or with engine_busy | engine_failed | timed_out |
   * shutting_down. Bytes are copied between the threads with their whole buffer: pass arrays that own their
   * buffer.
   */
  readonly run: <Name extends keyof Tasks & string>(
    name: Name,
    input: TaskInput<Tasks, Name>,
    options?: RunOptions,
  ) => Promise<TaskResult<Tasks, Name>>;
  /**
   * Resolves when every thread that starts at once has loaded and run its networks. Rejects with the error of
   * a thread that cannot start.
   */
  readonly ready: Promise<void>;
  readonly readings: () => PoolReadings;
  /** Refuses new and waiting tasks, waits for the running ones, then ends the threads. */
  readonly close: () => Promise<void>;
};

/** Why a caller's signal aborted. A time-out becomes the failure timed_out. */
const reasonOf = ({ reason }: AbortSignal): unknown =>
  reason instanceof DOMException && reason.name === "TimeoutError"
    ? new Failure("timed_out", {}, { cause: reason })
    : reason;

/** The result of the work. If the signal aborts first, throws its reason at once. */
export const orAbort = async <Value>(
  work: Promise<Value>,
  signal: AbortSignal | undefined,
): Promise<Value> => {
  if (signal === undefined) return work;
  const aborted = Promise.withResolvers<never>();
  const abort = (): void => aborted.reject(reasonOf(signal));
  signal.addEventListener("abort", abort);
  try {
    return await Promise.race([work, aborted.promise]);
  } finally {
    signal.removeEventListener("abort", abort);
  }
};

/** A pool of inference threads with a bounded queue and time limits. Threads that die are replaced. */
export const makePool = <Tasks extends TaskTable>(poolOptions: PoolOptions): Pool<Tasks> => {
  const meter = makeMeter();
  const threads = makeThreads(poolOptions, meter);
  const { workers, queueMax } = poolOptions;
  const admission = makeAdmission({
    slots: workers,
    waitingMax: queueMax,
    retryAfterSeconds: () => Math.max(1, Math.ceil((meter.meanTaskMs() * queueMax) / workers / 1000)),
  });
  const run: Pool<Tasks>["run"] = async (name, input, options = {}) => {
    const { signal, transfer = [], continues = false, end } = options;
    const asked = performance.now();
    const leave = await enter(admission, meter, signal, continues);
    const started = performance.now();
    meter.waited(started - asked);
    const work = threads
      .run<TaskResult<Tasks, typeof name>>({ task: name, input }, transfer, end)
      .finally(leave)
      .finally(() => meter.ran(name, performance.now() - started));
    const answer = await orAbort(work, signal);
    meter.usedModels(answer.timings);
    return valueOf(answer);
  };
  return {
    run,
    ready: threads.ready,
    readings: () => ({
      workers,
      threads: threads.alive(),
      running: admission.running(),
      waiting: admission.waiting(),
      ...meter.readings(),
    }),
    close: async () => {
      await admission.close();
      await threads.end();
    },
  };
};

const enter = async (
  admission: Admission,
  meter: Meter,
  signal: AbortSignal | undefined,
  continues: boolean,
): Promise<() => void> => {
  try {
    return await admission.enter(signal, continues);
  } catch (error) {
    if (error instanceof Failure && error.code === "engine_busy") meter.count("refused");
    throw signal?.aborted === true ? reasonOf(signal) : error;
  }
};

const valueOf = <Value>(answer: TaskAnswer<Value>): Value => {
  if (answer.kind === "done") return answer.value;
  if (answer.kind === "threw") throw answer.error;
  const cause = answer.cause === undefined ? {} : { cause: answer.cause };
  throw new Failure(answer.code, answer.facts, cause);
};
