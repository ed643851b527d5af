import { sql } from "kysely";
import type { Session } from "./database.ts";
import { pendingMigrations } from "./migrate.ts";
import type { Migration } from "./migrations.ts";
import { openPostgresKysely, type PostgresAddress } from "./postgres-store.ts";
import { openSqliteConnection } from "./sqlite-database.ts";

/** A write and a read that show whether a store works. */
export type Trial<Tables, Found> = {
  /** All of the program: a store that lacks one is not current. */
  readonly migrations: readonly Migration[];
  /** Any write; it is rolled back. */
  readonly write: (session: Session<Tables>) => Promise<unknown>;
  readonly read: (session: Session<Tables>) => Promise<Found>;
};

/** The result of a trial; if migrations are missing, no trial ran. */
export type Probe<Found> =
  | { readonly isCurrent: false }
  | { readonly isCurrent: true; readonly found: Found };

/** Thrown to roll back a transaction. */
class RolledBack extends Error {}

/**
 * Checks the embedded store's file, which must exist, without changing it: opens it, and writes in a
 * transaction that is rolled back. A running service is not disturbed. Throws the reason why the file cannot
 * be read or written.
 */
export const probeSqlite = async <Tables, Found>(
  path: string,
  trial: Trial<Tables, Found>,
): Promise<Probe<Found>> => {
  const { db, sqlite } = openSqliteConnection<Tables>(path);
  try {
    const isFresh =
      sqlite.prepare("select 1 from sqlite_master where name = 'migrations'").get() === undefined;
    return isFresh ? { isCurrent: false } : await probe({ db, locksRows: false }, trial);
  } finally {
    await db.destroy();
  }
};

/** The same of a PostgreSQL database. */
export const probePostgres = async <Tables, Found>(
  address: PostgresAddress,
  trial: Trial<Tables, Found>,
): Promise<Probe<Found>> => {
  const db = openPostgresKysely<Tables>({ ...address, connectionsMax: 1 });
  try {
    // Catalogue look-up by name in the connection's search path.
    const { rows } = await sql<{ readonly found: boolean }>`
      select to_regclass('migrations') is not null as found`.execute(db);
    return rows[0]?.found === true ? await probe({ db, locksRows: true }, trial) : { isCurrent: false };
  } finally {
    await db.destroy();
  }
};

const probe = async <Tables, Found>(
  session: Session<Tables>,
  { migrations, write, read }: Trial<Tables, Found>,
): Promise<Probe<Found>> => {
  const { db, locksRows } = session;
  if ((await pendingMigrations(db, migrations)).length > 0) {
    return { isCurrent: false };
  }
  const tried = db.transaction().execute(async (transaction) => {
    await write({ db: transaction, locksRows });
    throw new RolledBack();
  });
  await tried.catch((error: unknown) => {
    if (!(error instanceof RolledBack)) {
      throw error;
    }
  });
  return { isCurrent: true, found: await read(session) };
};
