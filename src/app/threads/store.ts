/** Entry of the store's thread: serves the commands of all modules over one SQLite file. */
import { parentPort, workerData } from "node:worker_threads";
import { serveSqliteStore } from "#machine/storage/sqlite-thread";
import { commandSet } from "../store-commands.ts";

if (parentPort !== null) {
  await serveSqliteStore(commandSet, parentPort, workerData);
}
