import { join } from "node:path";
import { askService } from "#admin/ask-service";
import { socketName } from "#admin/messages";
import type { AdminStore } from "#admin/serve-socket";
import { openKeyAdmin } from "#app/keys";
import { openRights } from "#app/rights";
import { findStoreHolder, openUnheld, type ReadyConfig, rewrapKeys } from "#app/storage";
import type { Config } from "#config/config";
import { masterKeyOf } from "#storage/master-key";
import { CommandError, opening } from "../command.ts";
import { findMasterKey, settleMasterKey } from "../serve/development-master-key.ts";

/** Where tenants and keys are: the store, or the running service that has it open. */
export type KeyPlace = {
  readonly store: AdminStore;
  readonly config: ReadyConfig;
  /** Wraps every data key under the master key of the settings. Returns how many were under another. */
  readonly rewrapKeys: () => Promise<number>;
};

/**
 * Runs the work on the store of the settings. Where a service has the embedded store open, the work reaches it through the
 * service's socket. Errors are written for the operator.
 */
export const withKeyPlace = async <Result>(
  config: Config,
  work: (place: KeyPlace) => Promise<Result>,
): Promise<Result> => {
  const isHeld = config.databaseUrl === undefined && (await findStoreHolder(config)) !== undefined;
  const held = isHeld ? await findMasterKey(config) : undefined;
  if (held !== undefined) return await withService(held, work);
  const { store, close } = await opening(openUnheld(config));
  try {
    const ready = await settleMasterKey(config, store);
    await opening(openRights(store, ready, new Date()));
    return await work({
      store: { ...store, ...openKeyAdmin(store) },
      config: ready,
      rewrapKeys: () => opening(rewrapKeys(store, ready)),
    });
  } finally {
    await close();
  }
};

const withService = async <Result>(
  config: ReadyConfig,
  work: (place: KeyPlace) => Promise<Result>,
): Promise<Result> => {
  const service = askService(join(config.dataDirectory, socketName));
  const { id } = masterKeyOf(config.masterKey);
  try {
    return await work({ store: service, config, rewrapKeys: () => service.rewrapKeys(id) });
  } catch (error) {
    const isFault = error instanceof Error && error.name === "AdminFault";
    throw isFault ? new CommandError(error.message, { cause: error }) : error;
  }
};
