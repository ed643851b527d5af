/** Composition of the connectors to civil registries. */

import { isRegistryCountry } from "#features/registry/countries/countries";
import { makeGateway } from "#features/registry/gateway/gateway";
import { makeLocalRegistry } from "#features/registry/local/local-registry";
import { makePersonKeys } from "#features/registry/local/person-keys";
import type { Environment, FindRegistry, Registry, RegistryCountry } from "#features/registry/registry";
import {
  type CountrySettings,
  noRegistries,
  type RegistrySettings,
} from "#features/registry/settings/settings";
import type { RegistryPersonCommands } from "#features/registry/store/registry-person-store";
import { makeRegistryTally } from "#features/registry/tally";
import type { Config } from "#machine/config/config";
import type { Egress } from "#machine/egress/egress";
import type { Collector } from "#machine/http/metrics";
import type { Keyring } from "#machine/storage/blobs";

/**
 * The settings of registries. The reader of the file, with its YAML, is loaded where a file is set. Throws as
 * {@link readRegistries}.
 */
export const findRegistrySettings = async (
  config: Pick<Config, "registries" | "egress">,
): Promise<RegistrySettings> => {
  if (config.registries.file === undefined) return noRegistries;
  const { readRegistries } = await import("./registry-settings.ts");
  return readRegistries(config);
};

export type RegistryParts = {
  readonly egress: Egress;
  readonly storage: {
    readonly store: Pick<RegistryPersonCommands, "findRegistryPerson" | "holdsRegistryPersons">;
    readonly keyring: Keyring;
  };
  readonly registries: RegistrySettings;
  readonly clock: () => Date;
};

/** The registries of a deployment, with their metrics. */
export type OpenedRegistries = { readonly find: FindRegistry; readonly gauges: readonly Collector[] };

/**
 * One connector for each configured country and environment, with its own breaker and tokens. A key of one
 * environment never reaches a connector of the other.
 */
export const openRegistries = ({ egress, storage, registries, clock }: RegistryParts): OpenedRegistries => {
  const gatewayDeps = {
    egress,
    clock,
    nowMs: () => performance.now(),
    random: Math.random,
  };
  const tally = makeRegistryTally(gatewayDeps.nowMs);
  const local = { store: storage.store, keys: makePersonKeys(storage.keyring) };
  const open = (
    settings: CountrySettings,
    place: { readonly environment: Environment; readonly country: RegistryCountry },
  ): Registry =>
    tally.count(
      settings.connector === "local"
        ? makeLocalRegistry(settings, place, local)
        : makeGateway(settings, place, gatewayDeps),
      place,
    );
  const openAll = (environment: Environment): ReadonlyMap<RegistryCountry, Registry> =>
    new Map(
      Object.entries(registries[environment]).flatMap(([country, settings]) =>
        isRegistryCountry(country) ? [[country, open(settings, { environment, country })] as const] : [],
      ),
    );
  const opened = { live: openAll("live"), test: openAll("test") };
  return { find: (environment, country) => opened[environment].get(country), gauges: tally.gauges };
};
