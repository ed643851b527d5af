import type { ReadyConfig, RecordingStorage } from "#app/storage";
import { registryCountries } from "#contract/country";
import type { Environment, RegistryCountry } from "#features/registry/registry";
import { type Config, readConfig } from "#machine/config/config";
import type { Tenant } from "#trust/tenants/store/tenant";
import { findTenant } from "../admin/tenant.ts";
import { UsageError } from "../command.ts";
import { openCommandStorage } from "../reach-store.ts";
import { findDeployment } from "../serve/first-start.ts";
import { wayOut } from "../way-out.ts";

/** Options that name a registry of a tenant. */
export const placeOptions = {
  country: { type: "string" },
  tenant: { type: "string" },
  test: { type: "boolean", default: false },
  live: { type: "boolean", default: false },
} as const;

/** The country of an option. */
export const parseCountry = (text: string | undefined): RegistryCountry => {
  const country = registryCountries.find((known) => known === text?.toUpperCase());
  if (country === undefined)
    throw new UsageError(`Name the country: --country ${registryCountries.join(" | ")}`);
  return country;
};

/** Exactly one environment: the two never mix. */
export const parseEnvironment = ({
  test,
  live,
}: {
  readonly test: boolean;
  readonly live: boolean;
}): Environment => {
  if (test === live) throw new UsageError("Name the environment: --test or --live");
  return live ? "live" : "test";
};

/** An open store and its tenant. */
export type OpenedTenant = Pick<RecordingStorage, "store" | "keyring"> & {
  readonly config: ReadyConfig;
  readonly tenant: Tenant;
};

/** Opens the store for one command on a tenant. */
export const withTenant = async (
  tenantName: string | undefined,
  work: (opened: OpenedTenant) => Promise<number>,
  configured: Config = readConfig(),
): Promise<number> => {
  const config = await findDeployment(configured);
  const { close, ...storage } = await openCommandStorage(config, wayOut.stop);
  try {
    return await work({ ...storage, config, tenant: await findTenant(storage.store, tenantName) });
  } finally {
    await close();
  }
};
