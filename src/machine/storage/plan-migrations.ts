import { existsSync } from "node:fs";
import { type Kysely, sql } from "kysely";
import { pendingMigrations } from "./migrate.ts";
import type { Migration } from "./migrations.ts";
import { openPostgresKysely, type PostgresAddress } from "./postgres-store.ts";
import { openSqliteConnection } from "./sqlite-database.ts";

/** A migration that has not run: its version and what it does, in a few words. */
export type PlannedMigration = Pick<Migration, "version" | "name">;

/**
 * The migrations that a start would run on the file of an embedded store, in their order. Changes nothing; a
 * service may have the file open. A file that does not exist needs all of them. Throws where a newer program
 * wrote it.
 */
export const planSqlite = async (
  path: string,
  migrations: readonly Migration[],
): Promise<readonly PlannedMigration[]> => {
  if (!existsSync(path)) return migrations;
  const { sqlite, db } = openSqliteConnection<unknown>(path);
  try {
    sqlite.pragma("query_only = ON");
    const isFresh =
      sqlite.prepare("select 1 from sqlite_master where name = 'migrations'").get() === undefined;
    return isFresh ? migrations : await pendingMigrations(db, migrations);
  } finally {
    await db.destroy();
  }
};

/** The same of a PostgreSQL database. */
export const planPostgres = async (
  address: PostgresAddress,
  migrations: readonly Migration[],
): Promise<readonly PlannedMigration[]> => {
  const db: Kysely<unknown> = openPostgresKysely<unknown>({ ...address, connectionsMax: 1 });
  try {
    // Catalogue look-up by name in the connection's search path.
    const { rows } = await sql<{ readonly found: boolean }>`
      select to_regclass('migrations') is not null as found`.execute(db);
    return rows[0]?.found === true ? await pendingMigrations(db, migrations) : migrations;
  } finally {
    await db.destroy();
  }
};
