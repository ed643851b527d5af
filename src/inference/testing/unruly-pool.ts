import { makePool, type Pool } from "../pool.ts";
import type { UnrulyTasks } from "./unruly-worker.ts";

/** A real pool, ready, of one thread with a queue of one, whose tasks do what a thread may do at worst. */
export const openUnrulyPool = async (): Promise<Pool<UnrulyTasks>> => {
  const pool = makePool<UnrulyTasks>({
    worker: new URL("./unruly-worker.ts", import.meta.url),
    workers: 1,
    queueMax: 1,
    taskMsMax: 30_000,
    heapMbMax: 64,
    workerData: null,
    onDeath: () => undefined,
  });
  await pool.ready;
  return pool;
};
