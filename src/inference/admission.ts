import { Failure } from "../contract/failure.ts";

export type Admission = {
  /**
   * Waits for a free slot, first come first served, and returns the function that frees it. Fails with engine_busy at
   * once when too many wait; throws the signal's reason when it aborts first.
   */
  readonly enter: (signal?: AbortSignal) => Promise<() => void>;
  readonly running: () => number;
  readonly waiting: () => number;
  /** Refuses all that wait and all that come, and resolves when nothing runs. */
  readonly close: () => Promise<void>;
};

export type AdmissionOptions = {
  readonly slots: number;
  readonly waitingMax: number;
  /** Seconds after which a refused caller should come again. */
  readonly retryAfterSeconds: () => number;
};

type Waiter = { readonly admit: () => void; readonly refuse: (reason: unknown) => void };

/** Stands in the queue until it is admitted to a slot, refused, or its signal aborts. */
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

/** A bounded queue in front of the workers: what waits costs no worker and can leave at any time. */
export const makeAdmission = ({ slots, waitingMax, retryAfterSeconds }: AdmissionOptions): Admission => {
  const waiters = new Set<Waiter>();
  const drained = Promise.withResolvers<void>();
  let running = 0;
  let isClosed = false;
  const leave = (): void => {
    running--;
    const [next] = waiters;
    if (next !== undefined) next.admit();
    else if (isClosed && running === 0) drained.resolve();
  };
  /** Each slot is freed once, however often its holder says so. */
  const takeSlot = (): (() => void) => {
    running++;
    let isHeld = true;
    return () => {
      if (isHeld) leave();
      isHeld = false;
    };
  };
  return {
    enter: async (signal) => {
      if (isClosed) throw new Failure("shutting_down");
      signal?.throwIfAborted();
      if (running < slots) return takeSlot();
      if (waiters.size >= waitingMax) {
        throw new Failure("engine_busy", { waiting: waiters.size, retryAfterSeconds: retryAfterSeconds() });
      }
      return waitIn(waiters, takeSlot, signal);
    },
    running: () => running,
    waiting: () => waiters.size,
    close: async () => {
      isClosed = true;
      for (const waiter of waiters) waiter.refuse(new Failure("shutting_down"));
      if (running === 0) drained.resolve();
      await drained.promise;
    },
  };
};
