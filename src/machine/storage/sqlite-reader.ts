import type { CommandSet, Commands, StoreLife } from "./commands.ts";
import { pendingMigrations } from "./migrate.ts";
import { makeRights } from "./rights/door.ts";
import { openSqliteConnection } from "./sqlite-database.ts";

/**
 * The commands over the embedded store's file, which must exist, for reading alone: a command that writes
 * fails. A running service is not disturbed, and what it commits is seen by the next command. Throws Error
 * when the file is older or newer than this program.
 */
export const openSqliteToRead = async <Own extends Commands, Tables>(
  { makeCommands, migrations }: CommandSet<Own, Tables>,
  path: string,
): Promise<{ readonly store: Own & Pick<StoreLife, "holdRights">; readonly close: () => Promise<void> }> => {
  const { db, sqlite } = openSqliteConnection<Tables>(path);
  try {
    sqlite.pragma("query_only = ON");
    if ((await pendingMigrations(db, migrations)).length > 0) {
      throw new Error("it is older than this program: start the service once, or run idem migrate");
    }
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const rights = makeRights();
  const store = {
    ...makeCommands({ db, locksRows: false, rights }),
    holdRights: async (key: Uint8Array) => rights.hold(key),
  };
  return { store, close: () => db.destroy() };
};
