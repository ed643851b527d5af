import { PGlite, types } from "@electric-sql/pglite";
import { CamelCasePlugin, Kysely, PGliteDialect } from "kysely";
import { migrations } from "#app/tables";
import type { CommandSet, KeepsKeys, StoreLife } from "#machine/storage/commands";
import { migratePostgres, openPostgresStore } from "#machine/storage/postgres-store";

/**
 * PostgreSQL in this process, with one connection: its commands run one after the other. What waits for
 * another connection, the driver and the server have their tests in the services lane.
 */
export type EmbeddedPostgres = {
  /** Runs one statement, and returns its rows. */
  readonly query: (statement: string) => Promise<Record<string, unknown>[]>;
  /** Migrates as a start does. Returns the number of migrations run. */
  readonly migrate: () => Promise<number>;
  /** A store on the one connection. Several may be open at once. */
  readonly openStore: <Own extends KeepsKeys, Tables>(
    commandSet: CommandSet<Own, Tables>,
  ) => Promise<Own & StoreLife>;
  readonly removeTables: () => Promise<void>;
  /** Removes the rows that a test wrote, and enables the triggers that it disabled. */
  readonly removeRows: () => Promise<void>;
  readonly stop: () => Promise<void>;
};

const newestVersion = migrations.at(-1)?.version ?? 0;

/**
 * To truncate a small table takes ten times as long as to delete its rows. Dead rows make a table grow over
 * the tests, so a large one is truncated.
 */
const removingRows = `do $$ declare used record; begin
  for used in select distinct tgrelid::regclass as name from pg_trigger where tgenabled = 'D' loop
    execute format('alter table %s enable trigger user', used.name);
  end loop;
  set local session_replication_role = replica;
  for used in select oid::regclass as name, pg_relation_size(oid) > 65536 as is_large from pg_class
      where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'migrations'
        and pg_relation_size(oid) > 0 loop
    execute format(case when used.is_large then 'truncate %s cascade' else 'delete from %s' end, used.name);
  end loop;
  delete from migrations where version > ${newestVersion};
end $$`;

const removingTables = "drop schema public cascade; create schema public";

/**
 * A server without files. It starts in about three seconds of processor time and takes half a gigabyte of
 * memory.
 */
export const startEmbeddedPostgres = async (): Promise<EmbeddedPostgres> => {
  // Integers are exact below 2^53, as the driver of the product reads them.
  const server = await PGlite.create({ parsers: { [types.INT8]: Number } });
  const run = async (statements: string): Promise<void> => void (await server.exec(statements));
  return {
    query: async (statement) => (await server.query<Record<string, unknown>>(statement)).rows,
    migrate: () => migratePostgres(openKysely(server), migrations, new Date()),
    openStore: <Own extends KeepsKeys, Tables>(commandSet: CommandSet<Own, Tables>) =>
      openPostgresStore(commandSet, openKysely<Tables>(server)),
    removeTables: () => run(removingTables),
    removeRows: () => run(removingRows),
    stop: () => server.close(),
  };
};

/** Its `destroy` leaves the server running: a store ends before the server does. */
const openKysely = <Tables>(server: PGlite): Kysely<Tables> => {
  const pglite = {
    query: server.query.bind(server),
    transaction: server.transaction.bind(server),
    waitReady: server.waitReady,
    ready: true,
    closed: false,
    close: () => Promise.resolve(),
  };
  return new Kysely<Tables>({
    dialect: new PGliteDialect({ pglite }),
    plugins: [new CamelCasePlugin()],
  });
};
