import Database from "better-sqlite3";
import { CamelCasePlugin, Kysely, SqliteDialect } from "kysely";

export type SqliteConnection<Tables> = {
  readonly sqlite: Database.Database;
  readonly db: Kysely<Tables>;
};

/** Longest wait for another process that writes the same file, such as an operator's command. */
const busyTimeoutMs = 5000;

/** Opens (or creates) the file. Every commit is on the disk when it returns. */
export const openSqliteConnection = <Tables>(path: string): SqliteConnection<Tables> => {
  const sqlite = new Database(path, { timeout: busyTimeoutMs });
  sqlite.pragma("journal_mode = WAL");
  // NORMAL, the default of WAL, loses acknowledged commits in a power loss: docs of `PRAGMA synchronous`, and
  // the test in power-loss.services.test.ts that fails under it.
  sqlite.pragma("synchronous = FULL");
  sqlite.pragma("foreign_keys = ON");
  // INSERT OR REPLACE must meet the triggers that keep the evidence append-only.
  sqlite.pragma("recursive_triggers = ON");
  // A destroyed data key must not stay readable in a free page.
  sqlite.pragma("secure_delete = ON");
  // Views and triggers may call only harmless functions, even in a tampered file.
  sqlite.pragma("trusted_schema = OFF");
  sqlite.pragma("cache_size = -16384");
  return { sqlite, db: openKysely(sqlite) };
};

/** The commands have some forty different texts; a text with a list has a version for each length. */
const statementsMax = 256;

const openKysely = <Tables>(sqlite: Database.Database): Kysely<Tables> => {
  // Compiling a text costs more than running it; the least recently used one is dropped first.
  const statements = new Map<string, Database.Statement>();
  const prepare = (text: string): Database.Statement => {
    const statement = statements.get(text) ?? sqlite.prepare(text);
    statements.delete(text);
    statements.set(text, statement);
    const [oldest] = statements.keys();
    if (oldest !== undefined && statements.size > statementsMax) {
      statements.delete(oldest);
    }
    return statement;
  };
  return new Kysely<Tables>({
    dialect: new SqliteDialect({ database: { prepare, close: () => sqlite.close() } }),
    plugins: [new CamelCasePlugin()],
  });
};
