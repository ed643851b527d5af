import { setImmediate } from "node:timers/promises";
import { type MessagePort, parentPort, workerData } from "node:worker_threads";
import { makeCommands } from "./commands.ts";
import { migrate } from "./migrate.ts";
import { sqliteWords } from "./migrations.ts";
import { messageOf } from "./outage.ts";
import { openSqliteConnection, type SqliteConnection } from "./sqlite-database.ts";
import { makeGroupCommit } from "./sqlite-group-commit.ts";
import { type Request, type StoreMessage, type StoreThread } from "./sqlite-message.ts";

/** A larger batch would make its first command wait longer than a slow disk does. */
const batchMax = 256;

const openMigrated = async (path: string): Promise<SqliteConnection> => {
  const connection = openSqliteConnection(path);
  const { sqlite, db } = connection;
  // Takes the write lock first, so that two programs that start at once migrate one after the other.
  sqlite.exec("begin immediate");
  await migrate(db, sqliteWords, new Date());
  sqlite.exec("commit");
  return connection;
};

const serve = (connection: SqliteConnection, port: MessagePort): void => {
  const { sqlite, db } = connection;
  const say = (message: StoreMessage): void => port.postMessage(message);
  const commit = makeGroupCommit(sqlite, makeCommands({ db, locksRows: false }));
  const waiting: Request[] = [];
  let isRunning = false;
  let isClosing = false;

  const drain = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax);
      say({ kind: "replies", replies: await commit(batch) });
      // Lets in what arrived while the disk was busy: it becomes the next batch.
      await setImmediate();
    }
    isRunning = false;
    if (isClosing) {
      close(connection);
      port.close();
    }
  };

  port.on("message", (message: Request | "close") => {
    if (message === "close") {
      isClosing = true;
    } else {
      waiting.push(message);
    }
    if (!isRunning) {
      void drain();
    }
  });
};

/** Moves the log into the database, so that a copy of the one file is whole. */
const close = ({ sqlite }: SqliteConnection): void => {
  sqlite.pragma("wal_checkpoint(TRUNCATE)");
  sqlite.close();
};

const start = async (port: MessagePort, { path }: StoreThread): Promise<void> => {
  try {
    serve(await openMigrated(path), port);
  } catch (error) {
    port.postMessage({ kind: "refused", message: messageOf(error) });
    return;
  }
  port.postMessage({ kind: "opened" });
};

if (parentPort !== null) {
  await start(parentPort, workerData);
}
