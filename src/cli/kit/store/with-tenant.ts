import type { ReadyConfig, RecordingStorage } from "#app/storage";
import { type Config, readConfig } from "#machine/config/config";
import type { Tenant } from "#trust/tenants/store/tenant";
import { findDeployment } from "./deployment.ts";
import { openCommandStorage } from "./reach-store.ts";
import { findTenant } from "./tenant.ts";
import { wayOut } from "./way-out.ts";

/** The open store of a deployment. */
export type OpenedStore = Pick<RecordingStorage, "store" | "sealedStore" | "keyring"> & {
  readonly config: ReadyConfig;
};

/** An open store and its tenant. */
export type OpenedTenant = OpenedStore & { readonly tenant: Tenant };

/**
 * Runs the work of one command on the store of a deployment: through the service that has it open, or in
 * place. `way` (way-out.ts) is what helps while another process has it open. Throws CommandError where
 * nothing is stored yet.
 */
export const withStore = async <Result>(
  work: (opened: OpenedStore) => Promise<Result>,
  way: string = wayOut.stop,
  configured: Config = readConfig(),
): Promise<Result> => {
  const config = await findDeployment(configured);
  const { close, ...storage } = await openCommandStorage(config, way);
  try {
    return await work({ ...storage, config });
  } finally {
    await close();
  }
};

/** The same, on one tenant of the deployment: that of the name, or the only one. */
export const withTenant = <Result>(
  name: string | undefined,
  work: (opened: OpenedTenant) => Promise<Result>,
  ...others: readonly [way?: string, configured?: Config]
): Promise<Result> =>
  withStore(
    async (opened) => {
      const tenant = await findTenant(opened.store, name);
      return await work({ ...opened, tenant });
    },
    ...others,
  );
