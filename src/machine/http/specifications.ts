import { Worker } from "node:worker_threads";
import type { SpecificationFiles, SpecificationWish } from "./specifications-thread.ts";

/** The documents about the interface for machines, in UTF-8. Made by {@link openSpecifications}. */
export type Specifications = (name: keyof SpecificationFiles) => Promise<Buffer>;

const write = (wish: SpecificationWish): Promise<SpecificationFiles> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL("./specifications-thread.ts", import.meta.url), { workerData: wish });
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("The thread of the specifications wrote none")));
  });

/**
 * Writes all of them at the first request, in a thread of their own: three seconds of processor time, which
 * neither a start nor the thread that answers spends. Some 2 MB are kept. A request after a failure tries
 * again.
 */
export const openSpecifications = (wish: SpecificationWish): Specifications => {
  let written: Promise<SpecificationFiles> | undefined;
  return async (name) => {
    written ??= write(wish);
    try {
      const file = (await written)[name];
      return Buffer.from(file.buffer, file.byteOffset, file.byteLength);
    } catch (error) {
      written = undefined;
      throw error;
    }
  };
};
