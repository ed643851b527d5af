import { type QueryExecutorProvider, sql } from "kysely";
import type { Migration } from "./migrations.ts";
import type { SqlDialect } from "./sql-dialect.ts";

/**
 * Migrates a database to the newest version; the caller holds the only write transaction. Returns the number
 * of migrations run.
 */
export const migrate = async (
  db: QueryExecutorProvider,
  migrations: readonly Migration[],
  dialect: SqlDialect,
  now: Date,
): Promise<number> => {
  // One row per migration: a full scan of a handful of rows.
  await sql
    .raw(
      `create table if not exists migrations (version ${dialect.int} primary key, name ${dialect.text} not null, applied_at ${dialect.int} not null)`,
    )
    .execute(db);
  const pending = await pendingMigrations(db, migrations);
  for (const { version, name, statements } of pending) {
    for (const statement of statements(dialect)) {
      await sql.raw(statement).execute(db);
    }
    // Primary key: a migration runs once.
    await sql`insert into migrations (version, name, applied_at) values (${version}, ${name}, ${now.getTime()})`.execute(
      db,
    );
  }
  return pending.length;
};

/** The migrations that this program has still to run. Throws when a newer program wrote the database. */
export const pendingMigrations = async (
  db: QueryExecutorProvider,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> => {
  // Primary key, backwards, one row.
  const { rows } = await sql<{ readonly version: number }>`
    select version from migrations order by version desc limit 1`.execute(db);
  const version = rows[0]?.version ?? 0;
  const known = migrations.at(-1)?.version ?? 0;
  if (version > known) {
    throw new Error(
      `The database has schema version ${version}, this program supports only ${known}. Start a newer program, or restore a backup made before the upgrade.`,
    );
  }
  return migrations.filter((migration) => migration.version > version);
};
