import { EventEmitter } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { MessageChannel } from "node:worker_threads";
import type { CommandSet, Commands, StoreLife } from "#machine/storage/commands";
import type { StoreMessage, StoreThread } from "#machine/storage/sqlite-message";
import { openStoreOver } from "#machine/storage/sqlite-store";
import { serveSqliteStore } from "#machine/storage/sqlite-thread";

/** The path of a database without a file (SQLite, "In-Memory Databases"). */
const inMemory = ":memory:";

let migrated: Buffer | undefined;

/**
 * The bytes of an empty store, as a first start leaves its file; its migrations run once for all test files
 * of a worker.
 */
const emptyStore = async <Own extends Commands, Tables>(
  commandSet: CommandSet<Own, Tables>,
): Promise<Buffer> => {
  const folder = mkdtempSync(join(tmpdir(), "idem-empty-"));
  const path = join(folder, "idem.sqlite");
  const store = await serveHere(commandSet, { path });
  await store.close();
  const bytes = readFileSync(path);
  rmSync(folder, { recursive: true });
  return bytes;
};

/**
 * The embedded store, served in the calling thread: the same messages, commands and commits, without the
 * start of a thread, which loads three hundred modules. A second store on the file needs a thread of its own:
 * a wait for the lock stops this one. A new file begins as a copy of an empty store.
 */
export const openSqliteStoreHere = async <Own extends Commands, Tables>(
  commandSet: CommandSet<Own, Tables>,
  start: StoreThread,
): Promise<Own & StoreLife> => {
  if (start.path !== inMemory && !existsSync(start.path)) {
    migrated ??= await emptyStore(commandSet);
    writeFileSync(start.path, migrated);
  }
  return await serveHere(commandSet, start);
};

const serveHere = async <Own extends Commands, Tables>(
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
  const opened = openStoreOver<Own>(carrier);
  await serveSqliteStore(commandSet, serving, start);
  return await opened;
};
