import { Failure } from "#contract/failure";

/** The queue in front of the threads. Made by {@link makeAdmission}. */
export type Admission = {
  /**
   * Waits for a free slot, first come first served, and returns the function that frees it. Fails with
   * engine_busy at once if too many wait. Throws the reason of a signal that aborts first. Work that
   * `continues` an admitted call is never refused for the length of the queue, and gets the next slot: to
   * refuse it would waste the work done so far. The calls in flight bound its number.
   */
  readonly enter: (signal?: AbortSignal, continues?: boolean) => Promise<() => void>;
  readonly running: () => number;
  readonly waiting: () => number;
  /** Refuses waiting and new callers with shutting_down. Resolves when no task runs. */
  readonly close: () => Promise<void>;
};

export type AdmissionOptions = {
  readonly slots: number;
  readonly waitingMax: number;
  /** Seconds after which a refused caller should try again. */
  readonly retryAfterSeconds: () => number;
};

type Waiter = { readonly admit: () => void; readonly refuse: (reason: unknown) => void };

/** Waits in the queue until the caller gets a slot, is refused, or its signal aborts. */
const waitIn = (
  waiters: Set<Waiter>,
  takeSlot: () => () => void,
  signal: AbortSignal | undefined,
): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const done = (): void => {
      waiters.delete(waiter);
      signal?.removeEventListener("abort", abort);
    };
    const waiter: Waiter = {
      admit: () => {
        done();
        resolve(takeSlot());
      },
      refuse: (reason) => {
        done();
        reject(reason);
      },
    };
    const abort = (): void => waiter.refuse(signal?.reason);
    signal?.addEventListener("abort", abort);
    waiters.add(waiter);
  });

/** A bounded queue in front of the workers. A waiting task uses no worker and can leave at any time. */
export const makeAdmission = ({ slots, waitingMax, retryAfterSeconds }: AdmissionOptions): Admission => {
  const waiters = new Set<Waiter>();
  const continuing = new Set<Waiter>();
  const drained = Promise.withResolvers<void>();
  let running = 0;
  let isClosed = false;
  const leave = (): void => {
    running--;
    const [next] = continuing.size > 0 ? continuing : waiters;
    if (next !== undefined) next.admit();
    else if (isClosed && running === 0) drained.resolve();
  };
  /** Frees each slot once, even if its holder calls the function again. */
  const takeSlot = (): (() => void) => {
    running++;
    let isHeld = true;
    return () => {
      if (isHeld) leave();
      isHeld = false;
    };
  };
  return {
    enter: async (signal, continues = false) => {
      if (isClosed) throw new Failure("shutting_down");
      signal?.throwIfAborted();
      if (running < slots) return takeSlot();
      if (continues) return waitIn(continuing, takeSlot, signal);
      if (waiters.size >= waitingMax) {
        throw new Failure("engine_busy", { waiting: waiters.size, retryAfterSeconds: retryAfterSeconds() });
      }
      return waitIn(waiters, takeSlot, signal);
    },
    running: () => running,
    waiting: () => waiters.size + continuing.size,
    close: async () => {
      isClosed = true;
      for (const waiter of [...continuing, ...waiters]) waiter.refuse(new Failure("shutting_down"));
      if (running === 0) drained.resolve();
      await drained.promise;
    },
  };
};
