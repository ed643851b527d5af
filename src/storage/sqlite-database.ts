import Database from "better-sqlite3";
import { CamelCasePlugin, Kysely, SqliteDialect } from "kysely";
import type { Tables } from "./database.ts";

export type SqliteConnection = { readonly sqlite: Database.Database; readonly db: Kysely<Tables> };

/** How long to wait for another process that writes the same file, such as a command of the operator. */
const busyTimeoutMs = 5000;

/** Opens (or creates) the file. Every commit is on the disk when it returns. */
export const openSqliteConnection = (path: string): SqliteConnection => {
  const sqlite = new Database(path, { timeout: busyTimeoutMs });
  sqlite.pragma("journal_mode = WAL");
  // NORMAL, the default of WAL, loses acknowledged commits in a power loss: docs of `PRAGMA synchronous`, and the
  // test in power-loss.services.test.ts that fails under it.
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  // INSERT OR REPLACE must meet the triggers that keep the evidence append-only.
  sqlite.pragma("recursive_triggers = ON");
  // A destroyed data key must not stay readable in a free page.
  sqlite.pragma("secure_delete = ON");
  // Views and triggers may call only harmless functions, whatever a tampered file contains.
  sqlite.pragma("trusted_schema = OFF");
  sqlite.pragma("cache_size = -16384");
  return { sqlite, db: openKysely(sqlite) };
};

const openKysely = (sqlite: Database.Database): Kysely<Tables> => {
  // The commands have some thirty different texts; compiling one costs more than running it.
  const statements = new Map<string, Database.Statement>();
  const prepare = (text: string): Database.Statement => {
    const known = statements.get(text) ?? sqlite.prepare(text);
    statements.set(text, known);
    return known;
  };
  return new Kysely<Tables>({
    dialect: new SqliteDialect({ database: { prepare, close: () => sqlite.close() } }),
    plugins: [new CamelCasePlugin()],
  });
};
