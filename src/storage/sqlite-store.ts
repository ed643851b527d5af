import { Worker } from "node:worker_threads";
import { Failure } from "#contract/failure";
import { type Answers, bindCommands, type RunCommand } from "./commands.ts";
import { errorOf, type Reply, type StoreMessage, type StoreThread } from "./sqlite-message.ts";
import type { Store } from "./store.ts";

/** More commands than a disk works off in seconds; further ones are told to come later instead of filling memory. */
const pendingMax = 10_000;

/** Finds the caller of a reply; the answer's type is known where the request was made. */
type Settle = { readonly reply: (reply: Reply<never>) => void; readonly reject: (error: Error) => void };

/** The store's thread, seen from outside. `close` works off what waits, then resolves when the thread has ended. */
type Thread = { readonly run: RunCommand } & Pick<Store, "isBroken" | "close">;

/**
 * The store in one SQLite file, in a thread of its own: a slow disk delays answers and never the event loop. Creates
 * and migrates the file; throws when it was written by a newer program. Commands that arrive while a commit runs
 * share the next one. After a failed commit every command and `ping` reject until the process starts again.
 */
export const openSqliteStore = async (start: StoreThread): Promise<Store> => {
  const worker = new Worker(new URL("./sqlite-worker.ts", import.meta.url), { workerData: start });
  const { run, isBroken, close } = attach(worker);
  await opened(worker);
  return { ...bindCommands(run), isBroken, close };
};

const attach = (worker: Worker): Thread => {
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
  worker.on("message", (message: StoreMessage<never>) => {
    for (const reply of message.kind === "replies" ? message.replies : []) {
      isSick ||= "refusal" in reply && reply.refusal.kind === "unhealthy";
      pending.get(reply.number)?.reply(reply);
      pending.delete(reply.number);
    }
  });

  const run: RunCommand = (name, args) =>
    new Promise<Answers[typeof name]>((resolve, reject) => {
      const refusal = end ?? (pending.size < pendingMax ? undefined : new Failure("store_unavailable"));
      if (refusal !== undefined) {
        reject(refusal);
        return;
      }
      number += 1;
      const settle = (reply: Reply<Answers[typeof name]>): void =>
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

/** Resolves when the database is open and migrated; rejects with the reason why it cannot be. */
const opened = async (worker: Worker): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  worker.once("error", reject);
  worker.once("message", (message: StoreMessage) =>
    message.kind === "refused" ? reject(new Error(message.message)) : resolve(),
  );
  try {
    await promise;
  } finally {
    worker.off("error", reject);
  }
};
