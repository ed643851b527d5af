import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sql } from "kysely";
import type { CommandSet, Commands } from "./commands.ts";
import { migrate } from "./migrate.ts";
import { migratePostgres, openPostgresKysely } from "./postgres-store.ts";
import { sqliteDialect } from "./sql-dialect.ts";
import { openSqliteConnection } from "./sqlite-database.ts";

/** Bytes of a database, and of each table with its indexes. */
export type Sizes = { readonly total: number; readonly tables: ReadonlyMap<string, number> };

/** A database of its own for a measurement, in this thread. Many commands may share one transaction. */
export type BenchDatabase<Own> = {
  readonly transact: <Answer>(work: (commands: Own) => Promise<Answer>) => Promise<Answer>;
  readonly sizes: () => Promise<Sizes>;
  /** Brings the statistics of the planner up to date, as PostgreSQL does by itself. */
  readonly analyse: () => Promise<void>;
  readonly close: () => Promise<void>;
};

/** The embedded store in a fresh folder, which is removed at the end. */
export const openSqliteBench = async <Own extends Commands, Tables>({
  makeCommands,
  migrations,
}: CommandSet<Own, Tables>): Promise<BenchDatabase<Own>> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-bench-store-"));
  const path = join(folder, "idem.sqlite");
  const { sqlite, db } = openSqliteConnection<Tables>(path);
  await migrate(db, migrations, sqliteDialect, new Date());
  const commands = makeCommands({ db, locksRows: false });
  return {
    transact: async (work) => {
      sqlite.exec("begin immediate");
      const answer = await work(commands);
      sqlite.exec("commit");
      return answer;
    },
    sizes: async () => {
      sqlite.pragma("wal_checkpoint(TRUNCATE)");
      const rows = sqlite
        .prepare<[], { readonly name: string; readonly bytes: number }>(
          `select master.tbl_name as name, sum(page.pgsize) as bytes from dbstat as page
            join sqlite_master as master on master.name = page.name group by master.tbl_name`,
        )
        .all();
      const tables = new Map(rows.map(({ name, bytes }) => [name, bytes]));
      return { total: (await stat(path)).size, tables };
    },
    // The embedded store never has statistics.
    analyse: () => Promise.resolve(),
    close: async () => {
      await db.destroy();
      await rm(folder, { recursive: true, force: true });
    },
  };
};

/** A PostgreSQL database, migrated. Its data stay. */
export const openPostgresBench = async <Own extends Commands, Tables>(
  { makeCommands, migrations }: CommandSet<Own, Tables>,
  url: string,
): Promise<BenchDatabase<Own>> => {
  await migratePostgres({ url }, migrations, new Date());
  const db = openPostgresKysely<Tables>({ url, connectionsMax: 1 });
  return {
    transact: (work) =>
      db.transaction().execute((transaction) => work(makeCommands({ db: transaction, locksRows: true }))),
    sizes: async () => {
      // Catalogue: every table of the connection's schema.
      const { rows } = await sql<{ readonly name: string; readonly bytes: string }>`
        select relname as name, pg_total_relation_size(oid) as bytes from pg_class
        where relkind = 'r' and relnamespace = current_schema()::regnamespace`.execute(db);
      const tables = new Map(rows.map(({ name, bytes }) => [name, Number(bytes)]));
      return { total: [...tables.values()].reduce((sum, bytes) => sum + bytes, 0), tables };
    },
    analyse: async () => void (await sql`analyze`.execute(db)),
    close: () => db.destroy(),
  };
};
