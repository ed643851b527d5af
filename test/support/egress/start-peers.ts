import { once } from "node:events";
import { Worker } from "node:worker_threads";

/** The catalogue of hostile peers, in a thread of its own. */
export type Peers = {
  /** Of a peer, by its place in the catalogue. */
  readonly urlOf: (place: number) => string;
  /** Bytes that went into connections, those in buffers of the system included. */
  readonly bytesSent: () => Promise<number>;
  readonly close: () => Promise<void>;
};

export const startPeers = async (): Promise<Peers> => {
  const worker = new Worker(new URL("./hostile-peers-thread.ts", import.meta.url));
  const next = async (): Promise<number> => {
    const [number]: readonly number[] = await once(worker, "message");
    return Number(number);
  };
  const port = await next();
  return {
    urlOf: (place) => `http://127.0.0.1:${port}/${place}`,
    bytesSent: async () => {
      worker.postMessage("bytes");
      return await next();
    },
    close: async () => void (await worker.terminate()),
  };
};
