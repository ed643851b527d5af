/** Reading of the settings of civil registries, for starts, doctor and commands. */

import { readRegistrySettings } from "#features/registry/settings/read-settings";
import { noRegistries, type RegistrySettings } from "#features/registry/settings/settings";
import type { Config } from "#machine/config/config";
import { makeJudgeUrl } from "#machine/egress/make-egress";

/** Reads the settings of registries with their secrets. Throws Error with every problem. */
export const readRegistries = ({
  registries,
  egress,
}: Pick<Config, "registries" | "egress">): RegistrySettings => {
  if (registries.file === undefined) return noRegistries;
  try {
    return readRegistrySettings(registries.file, makeJudgeUrl(egress));
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`IDEM_REGISTRIES: ${reason}`, { cause });
  }
};
