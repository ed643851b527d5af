/**
 * Work in a thread that the end of the thread waits for. A thread that is ended inside a run of
 * onnxruntime-node ends the whole process: its binding throws an exception that nothing can catch. (Version
 * 1.30.0 is built without NODE_API_SWALLOW_UNTHROWABLE_EXCEPTIONS of node-addon-api; sharp and better-sqlite3
 * have it.)
 */

/**
 * What both threads know of one task: whether its end is asked for, and how much keeps its thread from ending
 * now.
 */
export type Ending = Int32Array<SharedArrayBuffer>;

const asked = 0;
const holds = 1;

/** Holds the thread until it begins the task: a thread that starts runs its networks. */
export const makeEnding = (): Ending => {
  const ending = new Int32Array(new SharedArrayBuffer(2 * Int32Array.BYTES_PER_ELEMENT));
  ending[holds] = 1;
  return ending;
};

/**
 * Asks a task to end. Resolves as soon as its thread may be ended: the task has begun, no unbroken run goes
 * on, and none begins. Waits no longer than `msMax`.
 */
export const askToEnd = async (ending: Ending, msMax: number): Promise<void> => {
  Atomics.store(ending, asked, 1);
  const until = performance.now() + msMax;
  for (;;) {
    const held = Atomics.load(ending, holds);
    const left = until - performance.now();
    if (held === 0 || left <= 0) return;
    await Atomics.waitAsync(ending, holds, held, left).value;
  }
};

const letGo = (ending: Ending): void => {
  Atomics.sub(ending, holds, 1);
  Atomics.notify(ending, holds);
};

/** The task of this thread. A thread runs one at a time. */
let current = makeEnding();

/** Called in the thread when a task begins. */
export const beginTask = (ending: Ending): void => {
  current = ending;
  letGo(ending);
};

/**
 * Runs work that the end of the thread waits for. Does not return where the end of the task is asked for
 * already.
 */
export const runUnbroken = async <Value>(work: () => Promise<Value>): Promise<Value> => {
  const ending = current;
  // The count is raised before the question is read: a later question sees the run.
  Atomics.add(ending, holds, 1);
  if (Atomics.load(ending, asked) === 1) {
    letGo(ending);
    return new Promise(() => undefined);
  }
  try {
    return await work();
  } finally {
    letGo(ending);
  }
};
