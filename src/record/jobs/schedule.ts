/** One round of recurring work. Ends early, after the step that runs, when the signal aborts. */
export type Task = (signal: AbortSignal) => Promise<unknown>;

export type ScheduleDeps = {
  /** Run in this order, one at a time. A task that fails does not keep the others from running. */
  readonly tasks: readonly Task[];
  readonly everyMs: number;
  readonly onError: (error: unknown) => void;
};

export type Schedule = {
  /** Starts no more tasks. Resolves when the running task has ended. */
  readonly stop: () => Promise<void>;
};

/**
 * Runs the tasks now and once in each interval. A round that is longer than the interval delays the next one.
 */
export const startSchedule = ({ tasks, everyMs, onError }: ScheduleDeps): Schedule => {
  const stopping = new AbortController();
  const { signal } = stopping;
  let running = Promise.resolve();
  const runOne = async (task: Task): Promise<void> => {
    if (!signal.aborted) await task(signal);
  };
  const runAll = (): void => {
    for (const task of tasks) {
      running = running.then(() => runOne(task)).catch(onError);
    }
  };
  runAll();
  const timer = setInterval(runAll, everyMs);
  // A schedule alone does not keep the process alive.
  timer.unref();
  return {
    stop: async () => {
      clearInterval(timer);
      stopping.abort();
      await running;
    },
  };
};
