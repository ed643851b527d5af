/** Opens the store on SQLite or PostgreSQL. */
import { bindCommands, namesOf, type RunCommand, type StoreLife } from "#machine/storage/commands";
import { openPostgresStore as openPostgres, type PostgresAddress } from "#machine/storage/postgres-store";
import type { StoreThread } from "#machine/storage/sqlite-message";
import { openSqliteToRead } from "#machine/storage/sqlite-reader";
import { openSqliteStore as openSqlite } from "#machine/storage/sqlite-store";
import { commandSet, type makeCommands } from "./store-commands.ts";

/**
 * The store's commands: coarse, each one transaction, never held open across other work. The same suites run on SQLite
 * and PostgreSQL. A command resolves only after its commit is durable. Modules take the commands of single stores.
 */
export type Store = ReturnType<typeof makeCommands> & StoreLife;

/** The store in one SQLite file, in the thread of `threads/store.ts`. */
export const openSqliteStore = (start: StoreThread): Promise<Store> =>
  openSqlite(commandSet, new URL("./threads/store.ts", import.meta.url), start);

/** The commands over a file of the embedded store, for reading alone. */
export const openSqliteStoreToRead = (path: string) => openSqliteToRead(commandSet, path);

/** The store in a PostgreSQL database that was migrated. */
export const openPostgresStore = (address: PostgresAddress): Promise<Store> =>
  openPostgres(commandSet, address);

/** The names of the store's commands. */
export const commandNames = (): ReadonlySet<string> => new Set(namesOf(commandSet));

/** The store of another process, through a function that runs its commands there. */
export const openStoreThrough = (run: RunCommand, { close }: Pick<StoreLife, "close">): Store => ({
  ...bindCommands(commandSet, run),
  ping: () => Promise.resolve(),
  // That process compares and seals rows by the key that it holds.
  holdRights: () => Promise.resolve(),
  isBroken: () => false,
  close,
});
