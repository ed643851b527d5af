import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { checkDirectory, openStoreToRead, openUnheld, type ReadyConfig } from "#app/storage";
import { explainFile, isWithoutTables, storeFile } from "#app/storage-errors";
import { type Config, ConfigError } from "#machine/config/config";
import { isRestoring } from "#machine/storage/data-directory";
import { CommandError, opening } from "../../command.ts";
import { makeDirectory } from "../make-directory.ts";
import { findMasterKey, masterKeyFile, withoutMasterKey } from "./development-master-key.ts";
import { inWords, isThere } from "./directory.ts";
import { developmentKeyFile } from "./first-key.ts";

/**
 * Creates the data directory, for its owner only. Fails with a clear message when it cannot be created or
 * written, and as `requireUsable`. Creates nothing where PostgreSQL cannot be opened.
 */
export const prepareDirectory = async (config: Config): Promise<void> => {
  await requireUsable(config);
  await requirePostgres(config);
  await inWords(config.dataDirectory, () => makeDirectory(config.dataDirectory, 0o700));
};

const requirePostgres = async (config: Config): Promise<void> => {
  if (config.databaseUrl !== undefined) {
    const { close } = await opening(openUnheld(config));
    await close();
  }
};

/**
 * Finds an existing deployment, for commands that need one: with a mistyped `IDEM_DATA` they must not create
 * another. Creates nothing. Fails with a clear message where nothing is stored yet, and as `requireUsable`.
 */
export const findDeployment = async (config: Config): Promise<ReadyConfig> => {
  const { dataDirectory: directory, databaseUrl } = config;
  const isStored =
    databaseUrl !== undefined || (await inWords(directory, () => isThere(join(directory, storeFile))));
  // The access rights of an unrelated folder are not checked.
  if (isStored) await requireUsable(config);
  return await inWords(directory, async () => {
    const ready = await findMasterKey(config);
    if (ready !== undefined && isStored) return ready;
    if (databaseUrl !== undefined) {
      throw withoutMasterKey("The database needs the master key of its services", directory);
    }
    if (isStored && (await holdsTenants(config))) {
      const store = join(directory, storeFile);
      throw withoutMasterKey(
        `${store} holds tenants and keys, but the master key of its service is missing`,
        directory,
      );
    }
    throw new CommandError(`Nothing is stored in ${directory} yet: is IDEM_DATA right?`);
  });
};

/**
 * Whether the embedded store has a tenant. A file of a start that was cut off has none, and may have no
 * table. Throws Error with the cause and the next step where the file cannot be read.
 */
const holdsTenants = async (config: Config): Promise<boolean> => {
  const opened = await openStoreToRead(config).catch((error: unknown) => {
    if (isWithoutTables(error)) return undefined;
    throw error;
  });
  if (opened === undefined) return false;
  try {
    return (await opened.store.listTenants()).length > 0;
  } catch (error) {
    throw explainFile(error, join(config.dataDirectory, storeFile));
  } finally {
    await opened.close();
  }
};

/**
 * Fails with a clear message for an existing data directory that must not be used: not a directory, open to
 * others, or in production with development secrets. Creates nothing.
 */
export const requireUsable = async (config: Config): Promise<void> => {
  const directory = config.dataDirectory;
  await inWords(directory, async () => {
    const isMade = await readdir(directory).then(
      () => true,
      (error: NodeJS.ErrnoException) => {
        if (error.code !== "ENOENT") {
          throw error;
        }
        return false;
      },
    );
    if (!isMade) {
      return;
    }
    await checkDirectory(config);
    if (isRestoring(directory)) {
      throw new CommandError(
        `A restore to ${directory} has not ended. Remove the directory, and restore again: idem restore`,
      );
    }
    if (config.mode === "production") {
      await refuseDevelopmentFiles(directory);
    }
  });
};

/** Fails when a production directory holds a secret of a development start. */
export const refuseDevelopmentFiles = async (directory: string): Promise<void> => {
  const found: string[] = [];
  for (const file of [masterKeyFile, developmentKeyFile]) {
    if (await isThere(join(directory, file))) {
      found.push(file);
    }
  }
  if (found.length > 0) {
    throw new ConfigError([
      `IDEM_DATA holds development secrets (${found.join(", ")}). Use a fresh directory for production.`,
    ]);
  }
};
