import { randomBytes } from "node:crypto";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { holdsWrappedKeys, type ReadyConfig } from "#app/storage";
import { storeFile } from "#app/storage-errors";
import type { Config } from "#machine/config/config";
import { developmentKeyPrefix, parseMasterKey } from "#machine/config/master-key";
import { hasWrappedKeys } from "#trust/key-ring/wrapped-keys";
import { CommandError } from "../../command.ts";
import { inWords, isThere } from "./directory.ts";
import { writeFirst } from "./write-first.ts";

/** A secret that only a development start writes; production refuses a directory with it. */
export const masterKeyFile = "development-master.key";

type WrappedKeys = Parameters<typeof holdsWrappedKeys>[0];

/**
 * The settings with the master key: of `IDEM_MASTER_KEY`, or of the file of a development start. Creates that
 * file for a store that holds no key yet. A start calls this last, when all else is open: one that fails
 * leaves no key behind. Fails where the key of the store is lost or damaged.
 */
export const settleMasterKey = async (config: Config, store: WrappedKeys): Promise<ReadyConfig> => {
  const { dataDirectory: directory, databaseUrl } = config;
  const found = await inWords(directory, () => readMasterKey(config));
  if (found !== undefined) {
    return found;
  }
  const file = join(directory, masterKeyFile);
  if (await holdsWrappedKeys(store)) {
    throw lostKey(databaseUrl === undefined ? join(directory, storeFile) : "The database", file);
  }
  const made = developmentKeyPrefix + randomBytes(32).toString("base64");
  await inWords(directory, () => writeFirst(file, `${made}\n`));
  // Two concurrent starts both read the key that the first wrote.
  return await settleMasterKey(config, store);
};

/**
 * The settings with the master key; undefined before the first start. Creates nothing. Fails where the key of
 * the embedded store is lost or damaged.
 */
export const findMasterKey = async (config: Config): Promise<ReadyConfig | undefined> => {
  const found = await readMasterKey(config);
  if (found === undefined) {
    await refuseLostKey(config.dataDirectory);
  }
  return found;
};

const readMasterKey = async (config: Config): Promise<ReadyConfig | undefined> => {
  if (config.masterKey !== undefined) {
    return { ...config, masterKey: config.masterKey };
  }
  const file = join(config.dataDirectory, masterKeyFile);
  if (!(await isThere(file))) {
    return undefined;
  }
  const masterKey = parseMasterKey((await readFile(file, "utf8")).trim());
  if (masterKey === undefined) {
    throw new CommandError(
      `${file} is damaged. What it wrapped cannot be opened without it: restore it from a backup.`,
    );
  }
  return { ...config, masterKey, masterKeyFile: file };
};

/**
 * A new key cannot open a store that another key sealed: creating one would hide that the right key is
 * missing.
 */
const refuseLostKey = async (directory: string): Promise<void> => {
  const store = join(directory, storeFile);
  // A file that cannot be read may hold keys.
  if ((await isThere(store)) && (await hasWrappedKeys(store).catch(() => true))) {
    throw lostKey(store, join(directory, masterKeyFile));
  }
};

/** A store is there, and the settings have no master key. `fault` is the beginning of the sentence. */
export const withoutMasterKey = (fault: string, directory: string): CommandError =>
  new CommandError(
    `${fault}: IDEM_MASTER_KEY is not set, and ${directory} has no ${masterKeyFile}. Set it, restore that file, or correct IDEM_DATA (docs/guides/operate/upgrading.md, 'The master key').`,
  );

const lostKey = (store: string, file: string): CommandError =>
  new CommandError(
    `${store} is there, but the master key that it was made with is not: ${file} is missing and IDEM_MASTER_KEY is not set. Restore the file, set IDEM_MASTER_KEY, or set IDEM_DATA to a fresh directory (docs/guides/operate/upgrading.md, 'The master key').`,
  );
