import { EventEmitter } from "node:events";
import { MessageChannel } from "node:worker_threads";
import type { CommandSet, Commands, StoreLife } from "#machine/storage/commands";
import type { StoreMessage, StoreThread } from "#machine/storage/sqlite-message";
import { openStoreOver } from "#machine/storage/sqlite-store";
import { serveSqliteStore } from "#machine/storage/sqlite-thread";

/**
 * The embedded store, served in the calling thread: the same messages, commands and commits, without the start of a thread,
 * which loads three hundred modules. A second store on the file needs a thread of its own: a wait for the lock stops this one.
 */
export const openSqliteStoreHere = async <Own extends Commands, Tables>(
  commandSet: CommandSet<Own, Tables>,
  start: StoreThread,
): Promise<Own & StoreLife> => {
  const { port1: calling, port2: serving } = new MessageChannel();
  const thread = new EventEmitter();
  calling.on("message", (message: StoreMessage) => {
    thread.emit("message", message);
    if (message.kind === "refused") serving.close();
  });
  calling.on("close", () => thread.emit("exit", 0));
  const carrier = Object.assign(thread, {
    postMessage: (message: unknown): void => calling.postMessage(message),
  });
  const opened = openStoreOver(commandSet, carrier);
  await serveSqliteStore(commandSet, serving, start);
  return await opened;
};
