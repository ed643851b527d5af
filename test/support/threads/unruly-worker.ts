import { once } from "node:events";
import { setTimeout as sleep } from "node:timers/promises";
import { type MessagePort, workerData } from "node:worker_threads";
import { Failure } from "#contract/failure";
import { serveTasks } from "#machine/threads/serve-tasks";

/** Tasks that show the worst behaviour of a thread: it fails, hangs, dies, crashes or leaks memory. */
const tasks = {
  double: async ({ value }: { readonly value: number }) => value * 2,
  length: async ({ bytes }: { readonly bytes: Uint8Array }) => bytes.length,
  sleep: async ({ ms }: { readonly ms: number }) => sleep(ms, ms),
  fail: async ({ limit }: { readonly limit: number }): Promise<never> => {
    throw new Failure("image_too_large", { limit }, { cause: new Error("decoder said no") });
  },
  break: async (_input: { readonly value: number }): Promise<never> => {
    throw new TypeError("a defect");
  },
  ask: async ({ port, value }: { readonly port: MessagePort; readonly value: number }): Promise<unknown> => {
    const answer = once(port, "message");
    port.postMessage(value);
    const [answered] = await answer;
    port.close();
    return answered;
  },
  hang: async (_input: { readonly value: number }): Promise<never> => {
    for (;;);
  },
  die: async (_input: { readonly value: number }): Promise<never> => process.exit(7),
  crash: async (_input: { readonly value: number }): Promise<void> => {
    setImmediate(() => {
      throw new Error("outside of the task");
    });
    await sleep(60_000);
  },
  leak: async (_input: { readonly value: number }): Promise<number> => {
    type Link = { readonly before: Link | undefined; readonly at: number };
    let last: Link | undefined;
    for (let at = 0; ; at++) last = { before: last, at };
  },
};

export type UnrulyTasks = typeof tasks;

const start = async () => {
  if (workerData === "broken") throw new Error("the ledger does not hold");
  return serveTasks(tasks, () => ({ iris: { runs: 2, ms: 3 } }));
};

export const runTask = start();
