/** Composition of the local socket through which commands reach the store of the running service. */
import { join } from "node:path";
import { version } from "#contract/version";
import { refusalOf } from "#machine/storage/sqlite-message";
import { socketName } from "./admin/messages.ts";
import { serveAdminSocket } from "./admin/serve-socket.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import { mastersOf } from "./storage.ts";
import type { Store } from "./store.ts";

type AdminParts = Pick<Parts, "config" | "storage" | "report" | "reloadTokenKeys">;

/**
 * What this process holds of the store in memory, by the command that changes it there. It is renewed before
 * the command is answered, so that the change is in force when the operator reads its result. What is not
 * listed is read from the store at each use, or within two seconds (the galleries) or three (API keys).
 */
const renewals: { readonly [Name in keyof Store]?: (parts: AdminParts) => Promise<void> } = {
  destroyKey: async ({ storage }) => storage.keyring.forget(),
  rewrapKey: async ({ storage }) => storage.keyring.forget(),
  replaceSecret: ({ reloadTokenKeys }) => reloadTokenKeys(),
};

const renewalOf = (name: string): ((parts: AdminParts) => Promise<void>) | undefined =>
  Object.entries(renewals).find(([known]) => known === name)?.[1];

/** Runs commands of the store by their names, each followed by its renewal. */
const makeRun =
  (parts: AdminParts, onError: (error: unknown) => void) =>
  async (name: string, args: readonly unknown[]): Promise<unknown> => {
    const command: unknown = Reflect.get(parts.storage.sealedStore, name);
    if (typeof command !== "function") throw new Error(`The store has no command ${name}`);
    const answer: unknown = await Reflect.apply(command, undefined, args);
    // The command has committed: a renewal that fails must not look like a command that failed.
    await renewalOf(name)?.(parts).catch(onError);
    return answer;
  };

/** A service goes on without its socket: commands on its directory then need its end. */
export const openAdminSocket = async (parts: AdminParts): Promise<Module> => {
  const name = "admin";
  const { config, report } = parts;
  // Several processes may open PostgreSQL: there a command opens it itself.
  if (config.databaseUrl !== undefined) return { name };
  const onError = (error: unknown): void => report(name, "A command through the local socket failed", error);
  try {
    const { close } = await serveAdminSocket(join(config.dataDirectory, socketName), {
      release: version,
      masterIds: mastersOf(config).map(({ id }) => id),
      names: new Set(parts.storage.sealedStore.commandNames),
      run: makeRun(parts, onError),
      refusalOf,
      onError,
    });
    return { name, close };
  } catch (error) {
    report(
      name,
      "The local socket cannot be opened: commands on this directory need the end of the service",
      error,
    );
    return { name };
  }
};
