/** Composition of the threads that read large request bodies, so that no body stops the main thread. */
import { Failure } from "#contract/failure";
import type { Collector } from "#machine/http/metrics";
import type { ReadLargeBody } from "#machine/http/options";
import { makePool } from "#machine/threads/pool";
import type { Module } from "./module.ts";
import type { BodyTasks } from "./threads/body.ts";

/** The threads that read large bodies. Made by {@link openBodyThreads}. */
export type BodyThreads = {
  readonly read: ReadLargeBody;
  /** Resolves when the first thread is ready. */
  readonly ready: Promise<void>;
  readonly module: Module;
};

/**
 * Two, so that one hostile body does not delay all others. The largest takes a thread for some 0.2 s. The
 * second starts, in 0.1 s, when the first is busy: many a service never needs it.
 */
const threadCount = 2;

/** Waiting bodies are bounded by their bytes (body-budget.ts); this only bounds the number of small ones. */
const waitingMax = 1_000;

/** Far above the time of the largest body on a busy machine: a thread that takes longer hangs. */
const readMsMax = 30_000;

/**
 * Heap of a thread. A text with escapes is once in it as it was sent and once without them, each at two bytes
 * a character at most.
 */
const heapMbFor = (bodyBytesMax: number): number => 256 + Math.ceil((8 * bodyBytesMax) / 1024 ** 2);

/** A caller learns no more than that the body was not read, and when to send the call again. */
const asOverload = (error: unknown): unknown => {
  if (!(error instanceof Failure) || !["engine_busy", "engine_failed"].includes(error.code)) return error;
  const { retryAfterSeconds } = error.facts;
  const facts = retryAfterSeconds === undefined ? {} : { retryAfterSeconds };
  return new Failure("overloaded", facts, { cause: error });
};

const gauge = (name: string, help: string, value: () => number): Collector => ({
  name,
  help,
  read: () => [{ value: value() }],
});

const bodyThread = new URL("./threads/body.ts", import.meta.url);

/** Starts the threads. One that dies is replaced; the body that it read is answered 503. */
export const openBodyThreads = (
  bodyBytesMax: number,
  onDeath: (cause: unknown) => void,
  worker: URL = bodyThread,
): BodyThreads => {
  const pool = makePool<BodyTasks>({
    worker,
    workers: threadCount,
    startedAtOnce: 1,
    queueMax: waitingMax,
    taskMsMax: readMsMax,
    heapMbMax: heapMbFor(bodyBytesMax),
    workerData: null,
    onDeath,
  });
  return {
    read: async (blocks, isHashed, signal) => {
      try {
        const transfer = blocks.map(({ buffer }) => buffer);
        return await pool.run("readBody", { blocks, isHashed }, { transfer, signal });
      } catch (error) {
        throw asOverload(error);
      }
    },
    ready: pool.ready,
    module: {
      name: "bodies",
      gauges: [
        gauge("idem_body_threads", "Threads alive that read large bodies", () => pool.readings().threads),
        gauge("idem_bodies_waiting", "Large bodies that wait for a thread", () => pool.readings().waiting),
        gauge("idem_body_threads_died", "Threads that died over a body", () => pool.readings().died),
      ],
      close: pool.close,
    },
  };
};
