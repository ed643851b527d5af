/** Composition of the local socket through which commands reach the running service. */
import { join } from "node:path";
import { socketName } from "#admin/messages";
import { serveAdminSocket } from "#admin/serve-socket";
import { openKeyAdmin } from "./keys.ts";
import type { Module } from "./module.ts";
import type { Parts } from "./parts.ts";
import { mastersOf, rewrapKeys } from "./storage.ts";

/** A service goes on without its socket: commands on its directory then need its end. */
export const openAdminSocket = async ({ config, storage, report }: Parts): Promise<Module> => {
  const name = "admin";
  // Several processes may open PostgreSQL: there a command opens it itself.
  if (config.databaseUrl !== undefined) return { name };
  const onError = (error: unknown): void => report(name, "A command through the local socket failed", error);
  try {
    const { close } = await serveAdminSocket(join(config.dataDirectory, socketName), {
      store: { ...storage.store, ...openKeyAdmin(storage.store) },
      masterId: mastersOf(config)[0].id,
      rewrapKeys: () => rewrapKeys(storage.sealedStore, config),
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
