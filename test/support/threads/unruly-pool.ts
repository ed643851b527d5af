import { makePool, type Pool } from "#machine/threads/pool";
import type { UnrulyTasks } from "./unruly-worker.ts";

/** A real pool with one thread and a queue of one, ready, with the tasks of unruly-worker.ts. */
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
