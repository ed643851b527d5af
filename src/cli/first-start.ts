import { randomBytes, randomUUID } from "node:crypto";
import { link, mkdir, open, readdir, readFile, rm, stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { hashApiKey, looksLikeApiKey, makeApiKey } from "#contract/api-key";
import { type Scope, scopes } from "#contract/endpoint";
import type { Store } from "#storage/store";
import { type Config, ConfigError } from "../config.ts";
import { developmentKeyMark, parseMasterKey } from "../config-master-key.ts";
import { checkDirectory, openStore, type ReadyConfig } from "../open-storage.ts";
import { explainDirectory, storeFile } from "../open-storage-errors.ts";
import { CommandError, opening } from "./command.ts";

/** Secrets that only a development start writes; production refuses a directory that holds one. */
const masterKeyFile = "development-master.key";
const developmentKeyFile = "development-key";

/** Name of the tenant that the first development start makes: a start that was cut short knows it by this again. */
const firstTenantName = "Test tenant";

/**
 * Makes the data directory (for its owner only) and, in development without `IDEM_MASTER_KEY`, a master key in it.
 * Fails in words when it cannot be made or written, and as `requireUsable`; where PostgreSQL cannot be opened nothing is made.
 */
export const prepareDirectory = async (config: Config): Promise<ReadyConfig> => {
  const directory = config.dataDirectory;
  await requireUsable(config);
  await requirePostgres(config);
  return await inWords(directory, async () => {
    await makeDirectory(directory);
    const masterKey = config.masterKey ?? (await developmentMasterKey(directory));
    return { ...config, masterKey };
  });
};

const requirePostgres = async (config: Config): Promise<void> => {
  if (config.databaseUrl !== undefined) {
    const { close } = await opening(openStore(config));
    await close();
  }
};

/**
 * A deployment that is there, for commands that mean nothing on a new one: of a mistyped `IDEM_DATA` they would make one.
 * Makes nothing. Fails in words where nothing is stored yet, and as `requireUsable`.
 */
export const findDeployment = async (config: Config): Promise<ReadyConfig> => {
  const { dataDirectory: directory, databaseUrl } = config;
  const isStored =
    databaseUrl !== undefined || (await inWords(directory, () => isThere(join(directory, storeFile))));
  // Another folder's rights are not ours to judge.
  if (isStored) await requireUsable(config);
  return await inWords(directory, async () => {
    const masterKey = config.masterKey ?? (await findDevelopmentMasterKey(directory));
    if (masterKey === undefined || !isStored) {
      const keyless = databaseUrl === undefined ? "" : " IDEM_MASTER_KEY is not set either.";
      throw new CommandError(`Nothing is stored in ${directory} yet: is IDEM_DATA right?${keyless}`);
    }
    return { ...config, masterKey };
  });
};

/**
 * Fails in words for a data directory that is there and must not be used: no directory, open to others, or in production
 * one with development secrets. Makes nothing.
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
    if (config.mode === "production") {
      await refuseDevelopmentFiles(directory);
    }
  });
};

const inWords = async <Result>(directory: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError || error instanceof CommandError) {
      throw error;
    }
    throw new CommandError(explainDirectory(error, directory).message, { cause: error });
  }
};

/** One step after the other: on file systems that take no directories, `mkdir` with `recursive` never ends. */
const makeDirectory = async (directory: string): Promise<void> => {
  if (await isThere(directory)) {
    return;
  }
  await makeDirectory(dirname(directory));
  await mkdir(directory, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    // Of two starts at once the other one made it.
    if (error.code !== "EEXIST") {
      throw error;
    }
  });
};

const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );

/** Fails when a directory for production holds a secret that a development start wrote. */
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

/** A key made beside a store that another one sealed would open nothing, and hide that the right one is missing. */
const refuseLostKey = async (directory: string, file: string): Promise<void> => {
  const store = join(directory, storeFile);
  if ((await isThere(store)) && !(await isThere(file))) {
    throw new CommandError(
      `${store} is there, but the master key that it was made with is not: ${file} is missing and IDEM_MASTER_KEY is not set. Restore the file, set IDEM_MASTER_KEY, or set IDEM_DATA to a fresh directory.`,
    );
  }
};

const developmentMasterKey = async (directory: string): Promise<Uint8Array> => {
  const found = await findDevelopmentMasterKey(directory);
  if (found !== undefined) {
    return found;
  }
  const made = developmentKeyMark + randomBytes(32).toString("base64");
  await writeFirst(join(directory, masterKeyFile), `${made}\n`);
  // Of two starts at once both read what the first one wrote.
  return await developmentMasterKey(directory);
};

/** The master key that a development start wrote; undefined before the first one. Fails where it is lost or damaged. */
export const findDevelopmentMasterKey = async (directory: string): Promise<Uint8Array | undefined> => {
  const file = join(directory, masterKeyFile);
  await refuseLostKey(directory, file);
  if (!(await isThere(file))) {
    return undefined;
  }
  const key = parseMasterKey((await readFile(file, "utf8")).trim());
  if (key === undefined) {
    throw new CommandError(
      `${file} is damaged. What it wrapped cannot be opened without it: restore it from a backup.`,
    );
  }
  return key;
};

/**
 * Writes a file for its owner only, whole and durable or not at all. A file that is there stays: of two starts at
 * once the first one's secret is kept, and both read it.
 */
const writeFirst = async (file: string, text: string): Promise<void> => {
  const temporary = `${file}.${process.pid}.${randomUUID()}.new`;
  const handle = await open(temporary, "wx", 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await link(temporary, file).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") {
      throw error;
    }
  });
  await rm(temporary);
  await syncDirectory(dirname(file));
};

/** A new name survives a power loss only when its directory was synced too. */
const syncDirectory = async (directory: string): Promise<void> => {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

type NewKey = {
  readonly tenantId: string;
  readonly name: string;
  readonly world: "live" | "test";
  readonly scopes: readonly Scope[];
  readonly expiresAt?: Date;
};

/** A new key of a tenant, stored as its hash; the key itself is returned once. */
export const createKey = async (
  store: Store,
  wanted: NewKey,
): Promise<{ readonly id: string; readonly key: string }> => {
  const key = makeApiKey(wanted.world);
  return { id: await storeKey(store, key, wanted), key };
};

const storeKey = async (store: Store, key: string, wanted: NewKey): Promise<string> => {
  const id = randomUUID();
  await store.createApiKey({ ...wanted, id, hash: hashApiKey(key), createdAt: new Date() });
  return id;
};

/**
 * The first development start makes a tenant and a test key. Returns the key when it was made now; on later starts
 * undefined. The key also lies in the data directory for `idem demo`; `production` does nothing here.
 *
 * The key's file comes first, then tenant and key in the store: a start that is cut short between them leaves
 * nothing that the next start cannot finish.
 */
export const makeFirstKey = async (config: ReadyConfig, store: Store): Promise<string | undefined> => {
  if (config.mode === "production" || !(await awaitsFirstKey(store))) {
    return undefined;
  }
  const key = await developmentKey(config.dataDirectory);
  const [first] = await store.listTenants();
  const created = { id: randomUUID(), name: firstTenantName, createdAt: new Date() };
  const { id: tenantId } = first ?? (await store.createTenant(created));
  await storeKey(store, key, { tenantId, name: "First test key", world: "test", scopes });
  return key;
};

/** True for a store without a tenant, and for one whose first tenant never got its key: that start was cut short. */
const awaitsFirstKey = async (store: Store): Promise<boolean> => {
  const [first, ...others] = await store.listTenants();
  if (first === undefined) {
    return true;
  }
  const isOurs = first.name === firstTenantName && others.length === 0;
  return isOurs && (await store.listApiKeys(first.id)).length === 0;
};

/** The key in the directory's file; a new one where the file is missing or holds no key. */
const developmentKey = async (directory: string): Promise<string> => {
  const file = join(directory, developmentKeyFile);
  const found = await readDevelopmentKey(directory).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "ENOENT") {
      throw error;
    }
    return undefined;
  });
  if (found !== undefined && !looksLikeApiKey(found)) {
    await rm(file);
  }
  await writeFirst(file, `${makeApiKey("test")}\n`);
  return await readDevelopmentKey(directory);
};

/** The key that the first development start left in the data directory. */
export const readDevelopmentKey = async (directory: string): Promise<string> =>
  (await readFile(join(directory, developmentKeyFile), "utf8")).trim();
