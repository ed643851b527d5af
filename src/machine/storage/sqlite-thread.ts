import { setImmediate } from "node:timers/promises";
import type { MessagePort } from "node:worker_threads";
import type { CommandSet, Commands } from "./commands.ts";
import { requireSpace } from "./disk-space.ts";
import { migrate } from "./migrate.ts";
import type { Migration } from "./migrations.ts";
import { messageOf } from "./outage.ts";
import { makeRights } from "./rights/door.ts";
import { sqliteDialect } from "./sql-dialect.ts";
import { openSqliteConnection, type SqliteConnection } from "./sqlite-database.ts";
import { makeGroupCommit } from "./sqlite-group-commit.ts";
import type { Request, StoreMessage, StoreThread } from "./sqlite-message.ts";
import { pingSqlite } from "./sqlite-ping.ts";

/** In a larger batch the first command would wait longer than a slow disk takes. */
const batchMax = 256;

const openMigrated = async <Tables>(
  path: string,
  migrations: readonly Migration[],
): Promise<SqliteConnection<Tables>> => {
  const connection = openSqliteConnection<Tables>(path);
  const { sqlite, db } = connection;
  // Takes the write lock first, so two programs that start at once migrate one after the other.
  sqlite.exec("begin immediate");
  await migrate(db, migrations, sqliteDialect, new Date());
  sqlite.exec("commit");
  return connection;
};

/** Serves the commands and returns their names. */
const serve = <Own extends Commands, Tables>(
  { makeCommands, erasing }: CommandSet<Own, Tables>,
  connection: SqliteConnection<Tables>,
  port: MessagePort,
  path: string,
): readonly string[] => {
  const { sqlite, db } = connection;
  const ping = async (): Promise<void> => {
    await requireSpace(path);
    await pingSqlite({ db });
  };
  const rights = makeRights();
  const own = makeCommands({ db, locksRows: false, rights });
  const commands: Commands = {
    ...own,
    ping,
    holdRights: async (key: Uint8Array) => rights.hold(key),
  };
  const send = (message: StoreMessage): void => port.postMessage(message);
  const commit = makeGroupCommit({ sqlite, commands, erasing });
  const waiting: Request[] = [];
  let isRunning = false;
  let isClosing = false;

  const drain = async (): Promise<void> => {
    isRunning = true;
    while (waiting.length > 0) {
      const batch = waiting.splice(0, batchMax);
      send({ kind: "replies", replies: await commit(batch) });
      // Accepts the commands that arrived while the disk was busy: they become the next batch.
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
  return Object.keys(own);
};

/** Moves the log into the database, so a copy of this one file is complete. */
const close = ({ sqlite }: Pick<SqliteConnection<unknown>, "sqlite">): void => {
  sqlite.pragma("wal_checkpoint(TRUNCATE)");
  sqlite.close();
};

/**
 * Serves the commands in this thread until `close`: opens (or creates) the file, migrates it and reports
 * `opened`, or `refused` with the reason. The entry of the thread calls it once; `openSqliteStore` is the
 * other side.
 */
export const serveSqliteStore = async <Own extends Commands, Tables>(
  commandSet: CommandSet<Own, Tables>,
  port: MessagePort,
  { path }: StoreThread,
): Promise<void> => {
  const send = (message: StoreMessage): void => port.postMessage(message);
  try {
    const names = serve(commandSet, await openMigrated<Tables>(path, commandSet.migrations), port, path);
    send({ kind: "opened", names });
  } catch (error) {
    send({ kind: "refused", message: messageOf(error) });
  }
};
