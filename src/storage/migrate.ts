import { type Kysely, sql } from "kysely";
import type { Tables } from "./database.ts";
import { type ColumnWords, type Migration, migrations } from "./migrations.ts";

/** Brings a database to the newest version; the caller holds the only write transaction. Answers how many it ran. */
export const migrate = async (db: Kysely<Tables>, words: ColumnWords, now: Date): Promise<number> => {
  // One row a migration: a full scan of a handful of rows.
  await sql
    .raw(
      `create table if not exists migrations (version ${words.int} primary key, name ${words.text} not null, applied_at ${words.int} not null)`,
    )
    .execute(db);
  const pending = await pendingMigrations(db);
  for (const { version, name, statements } of pending) {
    for (const statement of statements(words)) {
      await sql.raw(statement).execute(db);
    }
    await db.insertInto("migrations").values({ version, name, appliedAt: now.getTime() }).execute();
  }
  return pending.length;
};

/** What this program would still have to run. Throws when the database was written by a newer program. */
export const pendingMigrations = async (db: Kysely<Tables>): Promise<readonly Migration[]> => {
  // Primary key, backwards, one row.
  const newest = await db
    .selectFrom("migrations")
    .select("version")
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  const version = newest?.version ?? 0;
  const known = migrations.at(-1)?.version ?? 0;
  if (version > known) {
    throw new Error(
      `The database has schema version ${version}, this program knows only ${known}. Start a newer program, or restore a backup made before the upgrade.`,
    );
  }
  return migrations.filter((migration) => migration.version > version);
};
