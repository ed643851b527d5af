import { Worker } from "node:worker_threads";
import type { SpecificationTexts, SpecificationWish } from "./specifications-thread.ts";

/** The documents about the interface for machines, in UTF-8. Made by {@link openSpecifications}. */
export type Specifications = (name: keyof SpecificationTexts) => Promise<Buffer>;

const write = (wish: SpecificationWish): Promise<SpecificationTexts> =>
  new Promise((resolve, reject) => {
    const thread = new Worker(new URL("./specifications-thread.ts", import.meta.url), { workerData: wish });
    thread.once("message", resolve);
    thread.once("error", reject);
    thread.once("exit", () => reject(new Error("The thread of the specifications wrote none")));
  });

/**
 * Writes all of them at the first request, in a thread of their own: three seconds of processor time, which neither a start nor the
 * thread that answers spends. Some 3 MB are kept. A request after a failure tries again.
 */
export const openSpecifications = (wish: SpecificationWish): Specifications => {
  let written: Promise<SpecificationTexts> | undefined;
  return async (name) => {
    written ??= write(wish);
    try {
      return Buffer.from(await written.then((texts) => texts[name]));
    } catch (error) {
      written = undefined;
      throw error;
    }
  };
};
