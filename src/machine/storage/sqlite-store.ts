import type { EventEmitter } from "node:events";
import { Worker } from "node:worker_threads";
import { Failure } from "#contract/failure";
import { bindCommands, type Commands, type RunCommand, type StoreLife } from "./commands.ts";
import { errorOf, type Reply, type StoreMessage, type StoreThread } from "./sqlite-message.ts";

/**
 * More pending commands than a disk completes in seconds; further commands are refused instead of filling
 * memory.
 */
const pendingMax = 10_000;

/** What callers need of the store's thread: its messages, its `error` and its `exit`. */
export type StoreCarrier = Pick<EventEmitter, "on" | "once" | "off"> & Pick<Worker, "postMessage">;

/** The caller that waits for a reply. */
type Settle = { readonly reply: (reply: Reply) => void; readonly reject: (error: Error) => void };

/**
 * The store's thread, as its callers see it. `close` completes the pending commands, then resolves when the
 * thread has ended.
 */
type Thread = { readonly run: RunCommand } & Pick<StoreLife, "isBroken" | "close">;

/**
 * The store in one SQLite file, in its own thread: a slow disk delays answers and never the event loop.
 * Creates and migrates the file; throws when a newer program wrote it. Commands that arrive during a commit
 * share the next one. After a failed commit every command and `ping` reject until the process restarts.
 * `entry` is the thread's module, which calls `serveSqliteStore` with the commands `Own`.
 */
export const openSqliteStore = <Own extends Commands>(
  entry: URL,
  start: StoreThread,
): Promise<Own & StoreLife> => openStoreOver<Own>(new Worker(entry, { workerData: start }));

/** The store of a thread that has begun to serve the commands `Own`. Fails with the reason of its refusal. */
export const openStoreOver = async <Own extends Commands>(worker: StoreCarrier): Promise<Own & StoreLife> => {
  const { run, isBroken, close } = attach(worker);
  const names = await opened(worker);
  const ping = async (): Promise<void> => void (await run("ping", []));
  const holdRights = async (key: Uint8Array): Promise<void> => void (await run("holdRights", [key]));
  return { ...bindCommands<Own>(names, run), ping, holdRights, isBroken, close };
};

const attach = (worker: StoreCarrier): Thread => {
  const pending = new Map<number, Settle>();
  let number = 0;
  let end: Error | undefined;
  let isSick = false;

  const finish = (error: Error): void => {
    end ??= new Failure("store_unavailable", {}, { cause: error });
    for (const { reject } of pending.values()) {
      reject(end);
    }
    pending.clear();
  };
  const exit = Promise.withResolvers<void>();
  worker.on("error", finish);
  worker.once("exit", () => {
    finish(new Error("The store's thread has ended"));
    exit.resolve();
  });
  worker.on("message", (message: StoreMessage) => {
    for (const reply of message.kind === "replies" ? message.replies : []) {
      isSick ||= "refusal" in reply && reply.refusal.kind === "unhealthy";
      pending.get(reply.number)?.reply(reply);
      pending.delete(reply.number);
    }
  });

  const run: RunCommand = (name, args) =>
    new Promise((resolve, reject) => {
      const refusal = end ?? (pending.size < pendingMax ? undefined : new Failure("store_unavailable"));
      if (refusal !== undefined) {
        reject(refusal);
        return;
      }
      number += 1;
      const settle = (reply: Reply): void =>
        "answer" in reply ? resolve(reply.answer) : reject(errorOf(reply.refusal));
      pending.set(number, { reply: settle, reject });
      worker.postMessage({ number, name, args });
    });

  const close = async (): Promise<void> => {
    end ??= new Error("The store is closed");
    worker.postMessage("close");
    await exit.promise;
  };
  return { run, isBroken: () => isSick || end !== undefined, close };
};

/** The names of the commands, when the database is open and migrated; rejects with the reason otherwise. */
const opened = async (worker: StoreCarrier): Promise<readonly string[]> => {
  const { promise, resolve, reject } = Promise.withResolvers<readonly string[]>();
  worker.once("error", reject);
  worker.once("message", (message: StoreMessage) => {
    if (message.kind === "opened") resolve(message.names);
    else
      reject(new Error(message.kind === "refused" ? message.message : "The thread replied before it opened"));
  });
  try {
    return await promise;
  } finally {
    worker.off("error", reject);
  }
};
