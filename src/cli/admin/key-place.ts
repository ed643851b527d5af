import { openKeyAdmin } from "#app/keys";
import { openRights } from "#app/rights";
import { type ReadyConfig, rewrapKeys } from "#app/storage";
import type { Config } from "#machine/config/config";
import { masterKeyOf } from "#trust/key-ring/master-key";
import type { KeyAdmin } from "#trust/tenants/key-admin";
import type { TenantCommands } from "#trust/tenants/store/tenant-store";
import { CommandError, opening } from "../command.ts";
import { findMasterKey, settleMasterKey } from "../kit/store/development-master-key.ts";
import { openCommandStore } from "../kit/store/reach-store.ts";

/** The store's commands for tenants and keys. */
export type KeyStore = KeyAdmin & Pick<TenantCommands, "listTenants" | "createTenant" | "setDefaultCountry">;

/** Where tenants and keys are. */
export type KeyPlace = {
  readonly store: KeyStore;
  readonly config: ReadyConfig;
  /** Wraps every data key under the master key of the settings. Returns how many were under another. */
  readonly rewrapKeys: () => Promise<number>;
};

/**
 * Runs the work on the store of the settings, or on that of the service that has it open. Errors are written
 * for the operator.
 */
export const withKeyPlace = async <Result>(
  config: Config,
  work: (place: KeyPlace) => Promise<Result>,
): Promise<Result> => {
  // Undefined for a store that no key has sealed: its first command makes the key below.
  const { store, close, masterIds } = await openCommandStore((await findMasterKey(config)) ?? config);
  try {
    const ready = await settleMasterKey(config, store);
    await opening(openRights(store, ready, new Date()));
    return await work({
      store: { ...store, ...openKeyAdmin(store) },
      config: ready,
      rewrapKeys: async () => {
        requireSameMaster(ready, masterIds);
        return await opening(rewrapKeys(store, ready));
      },
    });
  } finally {
    await close();
  }
};

/** A service that makes keys under another master key would leave some under it. */
const requireSameMaster = ({ masterKey }: ReadyConfig, [ofService]: readonly string[] = []): void => {
  const { id } = masterKeyOf(masterKey);
  if (ofService === undefined || ofService === id) return;
  throw new CommandError(
    `The service has the master key ${ofService}, and this command ${id}. Start the service with the new one as IDEM_MASTER_KEY and the former one as IDEM_MASTER_KEY_PREVIOUS first.`,
  );
};
