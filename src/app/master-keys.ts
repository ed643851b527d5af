/** The master keys of a process, and the sealing of the deployment's own secrets under them. */
import type { Config } from "#machine/config/config";
import type { Masters } from "#trust/key-ring/keyring";
import { masterKeyOf } from "#trust/key-ring/master-key";
import { makeMasterSealer } from "#trust/tokens/master-sealer";

/**
 * A configuration with a master key; `masterKeyFile` is the file of a development start that holds it, if one
 * does.
 */
export type ReadyConfig = Config & { readonly masterKey: Uint8Array; readonly masterKeyFile?: string };

export const isReady = (config: Config): config is ReadyConfig => config.masterKey !== undefined;

/** The master keys of a process, the current one first. */
export const mastersOf = ({ masterKey, masterKeyPrevious: previous }: ReadyConfig): Masters => [
  masterKeyOf(masterKey),
  ...(previous === undefined ? [] : [masterKeyOf(previous)]),
];

/** Seals the secret of this name. The file of a development start outlives a rotation of the master key. */
export const masterSealerOf = (
  { masterKey, masterKeyPrevious: previous, masterKeyFile: file }: ReadyConfig,
  name: string,
) =>
  makeMasterSealer(masterKey, {
    name,
    previous,
    advice:
      file &&
      `The key in ${file} does not open them. After idem keys rotate, set IDEM_MASTER_KEY for good to the key of the rotation, and remove that file.`,
  });
