import { once } from "node:events";
import { Worker } from "node:worker_threads";
import { emptyWatched, joinWatched, type Watched } from "./watched.ts";

/** Watches a service from a thread of its own, so that making the attacks does not disturb it. */
export type Watch = {
  /** What was seen since the last look. */
  readonly look: () => Promise<Watched>;
  /** What was seen from the beginning to the last look. */
  readonly total: () => Watched;
  readonly stop: () => Promise<void>;
};

export const watchService = (service: { readonly url: string; readonly pid: number }): Watch => {
  const worker = new Worker(new URL("./watch-worker.ts", import.meta.url), {
    workerData: { url: service.url, pid: service.pid },
  });
  let total = emptyWatched;
  return {
    look: async () => {
      worker.postMessage("look");
      const [seen]: readonly Watched[] = await once(worker, "message");
      total = joinWatched(total, seen ?? emptyWatched);
      return seen ?? emptyWatched;
    },
    total: () => total,
    stop: async () => {
      await worker.terminate();
    },
  };
};
