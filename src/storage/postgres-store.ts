import { Socket } from "node:net";
import { setTimeout } from "node:timers/promises";
import { CamelCasePlugin, Kysely, PostgresDialect, sql } from "kysely";
import { Pool, TypeOverrides, types } from "pg";
import {
  type Answers,
  type Arguments,
  bindCommands,
  type CommandName,
  makeCommands,
  type RunCommand,
} from "./commands.ts";
import type { Tables } from "./database.ts";
import { migrate, pendingMigrations } from "./migrate.ts";
import { postgresWords } from "./migrations.ts";
import { codeOf, isOutage, unavailable } from "./outage.ts";
import type { Store } from "./store.ts";

export type PostgresAddress = {
  readonly url: string;
  /** Per process; the sum over all processes must stay below the server's max_connections. */
  readonly connectionsMax?: number;
  /** A connection on which nothing comes or goes for longer is cut off. */
  readonly silenceMsMax?: number;
};

/** A command takes milliseconds; what takes longer waits for a lock or a dead server. */
const statementTimeoutMs = 15_000;
/** Also the longest wait for a free connection of the pool. */
const connectTimeoutMs = 15_000;
/** Longer than the server itself lets a statement run: then the server, or the way to it, has gone without a word. */
const standardSilenceMsMax = statementTimeoutMs + 2_000;
const retriesMax = 5;

/**
 * A socket that ends itself after silence. A statement that waits on it rejects at once, and the pool opens another;
 * TCP alone would try for a quarter of an hour. The driver's own `query_timeout` rejects the statement and goes on using
 * the dead connection.
 */
const makeImpatientSocket = (silenceMsMax: number): Socket => {
  const socket = new Socket();
  return socket.setTimeout(silenceMsMax, () => socket.destroy());
};

/** A pool of connections to the server, each set up as the store needs it. Ends with `destroy`. */
export const openPostgresKysely = ({
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
    // A role or database may have been set to answer before the commit is on the disk.
    onConnect: async (client) => {
      await client.query("set synchronous_commit = on");
    },
    types: parsers,
  });
  // An idle connection that the server closes is dropped by the pool; the next command opens another.
  pool.on("error", () => undefined);
  // The same between two statements of a command: without a listener Node would end the process. The next
  // statement on such a connection rejects, so nothing is hidden.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), plugins: [new CamelCasePlugin()] });
};

/** Brings the database to the newest version; answers how many migrations ran. Throws when it is newer than this program. */
export const migratePostgres = async (address: PostgresAddress, now: Date): Promise<number> => {
  const db = openPostgresKysely({ ...address, connectionsMax: 1 });
  try {
    return await db.transaction().execute(async (transaction) => {
      // One lock for the whole database until commit, so that programs that start at once migrate one after the other.
      await sql`select pg_advisory_xact_lock(hashtext('idem migrations'))`.execute(transaction);
      return await migrate(transaction, postgresWords, now);
    });
  } finally {
    await db.destroy();
  }
};

/**
 * The store in PostgreSQL (15 or newer), for any number of processes. Throws when the database was not migrated, or
 * was by a newer program. A command fails with `store_unavailable` when the server does not answer; such a command
 * may still have been committed.
 */
export const openPostgresStore = async (address: PostgresAddress): Promise<Store> => {
  const db = openPostgresKysely(address);
  try {
    await retry(() => checkVersion(db));
  } catch (error) {
    await db.destroy();
    throw error;
  }
  const { track, drain } = makeTracker();
  const run: RunCommand = (name, args) => track(retry(() => transact(db, name, args)));
  const commands = bindCommands(run);
  return {
    ...commands,
    destroyKey: async (...args) => {
      const isDestroyed = await commands.destroyKey(...args);
      // An updated row leaves its former version, with the wrapped key, in the table until this. No transaction may hold it.
      await (isDestroyed ? track(retry(() => sql`vacuum keys`.execute(db))) : undefined);
      return isDestroyed;
    },
    ping: () => track(checkWritable(db)),
    // The pool opens new connections by itself.
    isBroken: () => false,
    close: async () => {
      // The pool forgets callers that wait for a connection when it ends, so they are worked off first.
      await drain();
      await db.destroy();
    },
  };
};

/** Knows the commands under way, so that closing can wait for them. */
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

const checkWritable = async (db: Kysely<Tables>): Promise<void> => {
  // No table: asks whether this server takes writes, which a standby does not.
  const answer = sql<{ readonly standby: boolean }>`select pg_is_in_recovery() as standby`;
  const { rows } = await retry(() => answer.execute(db));
  if (rows[0]?.standby !== false) {
    throw unavailable(new Error("The PostgreSQL server is a standby"));
  }
};

/** READ COMMITTED is enough: every command locks its row, or leans on a unique index, before it decides. */
const transact = <Name extends CommandName>(
  db: Kysely<Tables>,
  name: Name,
  args: Arguments[Name],
): Promise<Answers[Name]> =>
  db
    .transaction()
    .setIsolationLevel("read committed")
    .execute((transaction) => {
      const commands = makeCommands({ db: transaction, locksRows: true });
      return commands[name](...args);
    });

const checkVersion = async (db: Kysely<Tables>): Promise<void> => {
  // Catalogue look-up by name in the connection's search path.
  const { rows } = await sql<{ readonly found: boolean }>`
    select to_regclass('migrations') is not null as found`.execute(db);
  if (rows[0]?.found !== true || (await pendingMigrations(db)).length > 0) {
    throw new Error("The PostgreSQL database is older than this program. Run `idem migrate` first.");
  }
};

/** Repeats what PostgreSQL undid because it collided with another transaction: nothing of it was written. */
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
