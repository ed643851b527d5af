/**
 * Opens the store on SQLite or PostgreSQL. Commands and drivers are loaded where they run: SQLite has a
 * thread of its own.
 */
import { bindCommands, type RunCommand, type StoreLife } from "#machine/storage/commands";
import type { PostgresAddress } from "#machine/storage/postgres-store";
import type { StoreThread } from "#machine/storage/sqlite-message";
import { openSqliteStore as openSqlite } from "#machine/storage/sqlite-store";
import type { makeCommands } from "./store-commands.ts";

type StoreCommands = ReturnType<typeof makeCommands>;

/**
 * The store's commands: coarse, each one transaction, never held open across other work. The same suites run
 * on SQLite and PostgreSQL. A command resolves only after its commit is durable. Modules take the commands of
 * single stores.
 */
export type Store = StoreCommands & StoreLife;

/** The store in one SQLite file, in the thread of `threads/store.ts`. */
export const openSqliteStore = (start: StoreThread): Promise<Store> =>
  openSqlite<StoreCommands>(new URL("./threads/store.ts", import.meta.url), start);

/** The commands over a file of the embedded store, for reading alone. */
export const openSqliteStoreToRead = async (path: string) => {
  const { openSqliteToRead } = await import("#machine/storage/sqlite-reader");
  const { commandSet } = await import("./store-commands.ts");
  return await openSqliteToRead(commandSet, path);
};

/** The store in a PostgreSQL database that was migrated. */
export const openPostgresStore = async (address: PostgresAddress): Promise<Store> => {
  const { openPostgresStore: openPostgres } = await import("#machine/storage/postgres-store");
  const { commandSet } = await import("./store-commands.ts");
  return await openPostgres(commandSet, address);
};

/** The store of another process, through a function that runs its commands there. */
export const openStoreThrough = async (
  run: RunCommand,
  { close }: Pick<StoreLife, "close">,
): Promise<Store> => {
  const { namesOf } = await import("#machine/storage/command-names");
  const { commandSet } = await import("./store-commands.ts");
  return {
    ...bindCommands<StoreCommands>(namesOf(commandSet), run),
    ping: () => Promise.resolve(),
    // The process that serves the commands compares and seals rows, by the key that it holds.
    holdRights: () => Promise.resolve(),
    isBroken: () => false,
    close,
  };
};
