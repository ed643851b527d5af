import { randomUUID } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { makeCommands } from "./commands.ts";
import type { Tables } from "./database.ts";
import { pendingMigrations } from "./migrate.ts";
import { openPostgresKysely, type PostgresAddress } from "./postgres-store.ts";
import { openSqliteConnection } from "./sqlite-database.ts";

/** What a look at a store found. */
export type Probe = {
  /** False where migrations are missing: then nothing else was tried. */
  readonly isCurrent: boolean;
  /** The deployment's secret of the wanted name, sealed. */
  readonly secret?: Uint8Array;
  /** How many faces are blocked, by the recogniser of their templates. */
  readonly blocked?: readonly { readonly recogniser: string; readonly faces: number }[];
};

/** Thrown to take a transaction back. */
class TakenBack extends Error {}

/**
 * Looks at the embedded store's file, which must exist, without changing it: opens it, and writes in a transaction that
 * is taken back. A running service is not disturbed. Throws what keeps the file from being read or written.
 */
export const probeSqlite = async (path: string, secretName: string): Promise<Probe> => {
  const { db, sqlite } = openSqliteConnection(path);
  try {
    const isFresh =
      sqlite.prepare("select 1 from sqlite_master where name = 'migrations'").get() === undefined;
    return isFresh ? { isCurrent: false } : await probe(db, false, secretName);
  } finally {
    await db.destroy();
  }
};

/** The same of a PostgreSQL database. */
export const probePostgres = async (address: PostgresAddress, secretName: string): Promise<Probe> => {
  const db = openPostgresKysely({ ...address, connectionsMax: 1 });
  try {
    // Catalogue look-up by name in the connection's search path.
    const { rows } = await sql<{ readonly found: boolean }>`
      select to_regclass('migrations') is not null as found`.execute(db);
    return rows[0]?.found === true ? await probe(db, true, secretName) : { isCurrent: false };
  } finally {
    await db.destroy();
  }
};

const probe = async (db: Kysely<Tables>, locksRows: boolean, secretName: string): Promise<Probe> => {
  if ((await pendingMigrations(db)).length > 0) {
    return { isCurrent: false };
  }
  const tried = db.transaction().execute(async (transaction) => {
    const { createTenant } = makeCommands({ db: transaction, locksRows });
    await createTenant({ id: randomUUID(), name: "idem doctor", createdAt: new Date() });
    throw new TakenBack();
  });
  await tried.catch((error: unknown) => {
    if (!(error instanceof TakenBack)) {
      throw error;
    }
  });
  const secret = await makeCommands({ db, locksRows }).findSecret(secretName);
  // Block lists are short: the whole table.
  const rows = await db
    .selectFrom("blockedFaces")
    .select((row) => ["recogniser", row.fn.countAll().as("faces")])
    .groupBy("recogniser")
    .execute();
  const blocked = rows.map(({ recogniser, faces }) => ({ recogniser, faces: Number(faces) }));
  return { isCurrent: true, blocked, ...(secret && { secret }) };
};
