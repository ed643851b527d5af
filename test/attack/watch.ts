import { Worker } from "node:worker_threads";
import { emptyWatched, joinWatched, type Watched } from "./watched.ts";

/** Watches a service from a thread of its own, so that making the attacks does not disturb it. */
export type Watch = {
  /**
   * What was seen since the last answer, up to a probe that begins after this call. Looks at once get one
   * answer.
   */
  readonly look: () => Promise<Watched>;
  /** What was seen from the beginning to the last look. */
  readonly total: () => Watched;
  readonly stop: () => Promise<void>;
};

type Reply = { readonly ids: readonly number[]; readonly watched: Watched };

export const watchService = (service: { readonly url: string; readonly pid: number }): Watch => {
  const worker = new Worker(new URL("./watch-worker.ts", import.meta.url), {
    workerData: { url: service.url, pid: service.pid },
  });
  const waiting = new Map<number, PromiseWithResolvers<Watched>>();
  let total = emptyWatched;
  let looks = 0;
  worker.on("message", ({ ids, watched }: Reply) => {
    total = joinWatched(total, watched);
    for (const id of ids) {
      waiting.get(id)?.resolve(watched);
      waiting.delete(id);
    }
  });
  worker.on("error", (error) => {
    for (const { reject } of waiting.values()) reject(error);
  });
  return {
    look: async () => {
      const look = Promise.withResolvers<Watched>();
      waiting.set(++looks, look);
      worker.postMessage(looks);
      return await look.promise;
    },
    total: () => total,
    stop: async () => {
      await worker.terminate();
    },
  };
};
