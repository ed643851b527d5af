import { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { CamelCasePlugin, Kysely, PostgresDialect, type QueryExecutorProvider, sql } from "kysely";
import { Pool, TypeOverrides, types } from "pg";
import { namesOf } from "./command-names.ts";
import {
  bindCommands,
  type CommandSet,
  commandOf,
  type KeepsKeys,
  type RunCommand,
  type StoreLife,
} from "./commands.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import type { Migration } from "./migrations.ts";
import { codeOf, isOutage, unavailable } from "./outage.ts";
import { makeRights, type Rights } from "./rights/door.ts";
import { postgresDialect } from "./sql-dialect.ts";

export type PostgresAddress = {
  readonly url: string;
  /** Per process; the sum over all processes must stay below the server's max_connections. */
  readonly connectionsMax?: number;
  /** A connection without traffic for longer than this is cut off. */
  readonly silenceMsMax?: number;
};

/** A command takes milliseconds; a longer one waits for a lock or a dead server. */
const statementTimeoutMs = 15_000;
/** Also the longest wait for a free connection of the pool. */
const connectTimeoutMs = 15_000;
/** Longest silence of a migration, which copies tables and builds indexes. */
const migrationMsMax = 3_600_000;
/**
 * Longer than the server's own statement timeout: after it, the server or the network has failed silently.
 */
const standardSilenceMsMax = statementTimeoutMs + 2_000;
const retriesMax = 5;

/**
 * A socket that closes itself after silence. A statement on it rejects at once, and the pool opens another
 * socket; TCP alone would retry for a quarter of an hour. The driver's own `query_timeout` rejects the
 * statement and keeps using the dead connection.
 */
const makeImpatientSocket = (silenceMsMax: number): Socket => {
  const socket = new Socket();
  return socket.setTimeout(silenceMsMax, () => socket.destroy());
};

/** A pool of connections to the server, each configured for the store. `destroy` ends it. */
export const openPostgresKysely = <Tables>({
  url,
  connectionsMax = 10,
  silenceMsMax = standardSilenceMsMax,
}: PostgresAddress): Kysely<Tables> => {
  const parsers = new TypeOverrides();
  // int8 arrives as text; every integer that we store is exact below 2^53.
  parsers.setTypeParser(types.builtins.INT8, Number);
  const pool = new Pool({
    connectionString: url,
    max: connectionsMax,
    application_name: "idem",
    stream: () => makeImpatientSocket(silenceMsMax),
    keepAlive: true,
    connectionTimeoutMillis: connectTimeoutMs,
    statement_timeout: statementTimeoutMs,
    idle_in_transaction_session_timeout: statementTimeoutMs,
    // A role or database can have `synchronous_commit` off: then it answers before the commit is on the disk.
    onConnect: async (client) => {
      await client.query("set synchronous_commit = on");
    },
    types: parsers,
  });
  // The pool drops an idle connection that the server closes; the next command opens another.
  pool.on("error", () => undefined);
  // The same between two statements of a command: without a listener Node would end the process. The next
  // statement on such a connection rejects, so no error is hidden.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
};

/**
 * Migrates the database to the newest version; returns the number of migrations run. Throws when it is newer
 * than this program. Connections that the caller opened end with it.
 */
export const migratePostgres = async (
  over: PostgresAddress | Kysely<unknown>,
  migrations: readonly Migration[],
  now: Date,
): Promise<number> => {
  const db =
    over instanceof Kysely
      ? over
      : openPostgresKysely<unknown>({ silenceMsMax: migrationMsMax, ...over, connectionsMax: 1 });
  try {
    return await db.transaction().execute(async (transaction) => {
      // No table: a copy of a large table, or the wait for another migration, takes longer than a command
      // may.
      await sql`set local statement_timeout = 0`.execute(transaction);
      // One lock for the whole database until commit, so programs that start at once migrate one after the
      // other.
      await sql`select pg_advisory_xact_lock(hashtext('idem migrations'))`.execute(transaction);
      return await migrate(transaction, migrations, postgresDialect, now);
    });
  } finally {
    await db.destroy();
  }
};

/**
 * The store in PostgreSQL (15 or newer), for any number of processes. Throws when the database was not
 * migrated, or when a newer program migrated it. A command fails with `store_unavailable` when the server
 * does not answer; such a command may still have been committed. `close` ends the connections, also those
 * that the caller opened.
 */
export const openPostgresStore = async <Own extends KeepsKeys, Tables>(
  commandSet: CommandSet<Own, Tables>,
  over: PostgresAddress | Kysely<Tables>,
): Promise<Own & StoreLife> => {
  const db = over instanceof Kysely ? over : openPostgresKysely<Tables>(over);
  try {
    await retry(() => checkVersion(db, commandSet.migrations));
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const { track, drain } = makeTracker();
  const rights = makeRights();
  const run: RunCommand = (name, args) =>
    track(retry(() => transact(commandSet, { db, rights }, name, args)));
  const commands = bindCommands<Own>(namesOf(commandSet), run);
  return {
    ...commands,
    destroyKey: async (...args: Parameters<KeepsKeys["destroyKey"]>) => {
      const isDestroyed = await commands.destroyKey(...args);
      // An updated row leaves its old version, with the wrapped key, in the table until this runs. No
      // transaction may hold it.
      await (isDestroyed ? track(retry(() => sql`vacuum keys`.execute(db))) : undefined);
      return isDestroyed;
    },
    ping: () => track(checkWritable(db)),
    // The pool opens new connections by itself.
    isBroken: () => false,
    holdRights: async (key) => rights.hold(key),
    close: async () => {
      // At its end the pool drops callers that wait for a connection, so they finish first.
      await drain();
      await db.destroy();
    },
  };
};

/** Tracks the running commands, so that `close` can wait for them. */
const makeTracker = () => {
  const running = new Set<Promise<unknown>>();
  return {
    track: async <Answer>(command: Promise<Answer>): Promise<Answer> => {
      running.add(command);
      try {
        return await command;
      } finally {
        running.delete(command);
      }
    },
    drain: () => Promise.allSettled(running),
  };
};

const checkWritable = async (db: QueryExecutorProvider): Promise<void> => {
  // Reads no table. Asks whether this server accepts writes, which a standby does not.
  const answer = sql<{ readonly standby: boolean }>`select pg_is_in_recovery() as standby`;
  const { rows } = await retry(() => answer.execute(db));
  if (rows[0]?.standby !== false) {
    throw unavailable(new Error("The PostgreSQL server is a standby"));
  }
};

/** READ COMMITTED is enough: every command locks its row, or relies on a unique index, before it decides. */
const transact = <Own extends KeepsKeys, Tables>(
  { makeCommands }: CommandSet<Own, Tables>,
  { db, rights }: { readonly db: Kysely<Tables>; readonly rights: Rights },
  name: string,
  args: readonly unknown[],
): Promise<unknown> =>
  db
    .transaction()
    .setIsolationLevel("read committed")
    .execute((transaction) => {
      const commands = makeCommands({ db: transaction, locksRows: true, rights });
      return commandOf(commands, name)(...args);
    });

const checkVersion = async (db: QueryExecutorProvider, migrations: readonly Migration[]): Promise<void> => {
  // Catalogue look-up by name in the connection's search path.
  const { rows } = await sql<{ readonly found: boolean }>`
    select to_regclass('migrations') is not null as found`.execute(db);
  if (rows[0]?.found !== true || (await pendingMigrations(db, migrations)).length > 0) {
    throw new Error("The PostgreSQL database is older than this program. Run `idem migrate` first.");
  }
};

/**
 * Repeats a command that PostgreSQL rolled back because of a conflict with another transaction: it wrote
 * nothing.
 */
const retry = async <Answer>(attempt: () => Promise<Answer>, retriesLeft = retriesMax): Promise<Answer> => {
  try {
    return await attempt();
  } catch (error) {
    if (isCollision(error) && retriesLeft > 0) {
      await setTimeout(Math.random() * 50);
      return await retry(attempt, retriesLeft - 1);
    }
    throw isOutage(error) ? unavailable(error) : error;
  }
};

/** serialization_failure and deadlock_detected (PostgreSQL, appendix A). */
const isCollision = (error: unknown): boolean => ["40001", "40P01"].includes(codeOf(error));
