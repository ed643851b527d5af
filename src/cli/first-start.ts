import { randomBytes, randomUUID } from "node:crypto";
import { chmod, mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { hashApiKey, makeApiKey } from "#contract/api-key";
import type { Scope } from "#contract/endpoint";
import type { Store } from "#storage/store";
import { type Config, ConfigError, developmentKeyMark, parseMasterKey } from "../config.ts";
import type { ReadyConfig } from "../main.ts";
import { CommandError } from "./command.ts";

/** Secrets that only a development start writes; production refuses a directory that holds one. */
const masterKeyFile = "development-master.key";
const developmentKeyFile = "development-key";

/** Every right that a key can carry. */
export const allScopes: readonly Scope[] = [
  "face",
  "document",
  "token",
  "user",
  "registry",
  "signing",
  "tracking",
  "clearing",
];

/**
 * Makes the data directory (for its owner only) and, in development without `IDEM_MASTER_KEY`, a master key in it.
 * Fails when production meets development secrets.
 */
export const prepareDirectory = async (config: Config): Promise<ReadyConfig> => {
  await mkdir(config.dataDirectory, { recursive: true, mode: 0o700 }).catch(
    (error: NodeJS.ErrnoException) => {
      throw new CommandError(
        `IDEM_DATA: ${config.dataDirectory} cannot be made (${error.code ?? error.message}).`,
      );
    },
  );
  if (config.mode === "production") {
    await refuseDevelopmentFiles(config.dataDirectory);
  }
  const masterKey = config.masterKey ?? (await developmentMasterKey(config.dataDirectory));
  return { ...config, masterKey };
};

const refuseDevelopmentFiles = async (directory: string): Promise<void> => {
  const found: string[] = [];
  for (const file of [masterKeyFile, developmentKeyFile]) {
    if (
      await stat(join(directory, file)).then(
        () => true,
        () => false,
      )
    ) {
      found.push(file);
    }
  }
  if (found.length > 0) {
    throw new ConfigError([
      `IDEM_DATA holds development secrets (${found.join(", ")}). Use a fresh directory for production.`,
    ]);
  }
};

const developmentMasterKey = async (directory: string): Promise<Uint8Array> => {
  const file = join(directory, masterKeyFile);
  const made = developmentKeyMark + randomBytes(32).toString("base64");
  // "wx": of two starts at once the first one's key stays, and both read it.
  await writeFile(file, `${made}\n`, { flag: "wx", mode: 0o600 }).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== "EEXIST") {
      throw error;
    }
  });
  const key = parseMasterKey((await readFile(file, "utf8")).trim());
  if (key === undefined) {
    throw new CommandError(
      `${file} is damaged. What it wrapped cannot be opened without it: restore it from a backup.`,
    );
  }
  return key;
};

/** A new key of a tenant, stored as its hash; the key itself is returned once. */
export const createKey = async (
  store: Store,
  wanted: {
    readonly tenantId: string;
    readonly name: string;
    readonly world: "live" | "test";
    readonly scopes: readonly Scope[];
    readonly expiresAt?: Date;
  },
): Promise<{ readonly id: string; readonly key: string }> => {
  const key = makeApiKey(wanted.world);
  const id = randomUUID();
  await store.createApiKey({ ...wanted, id, hash: hashApiKey(key), createdAt: new Date() });
  return { id, key };
};

/**
 * The first development start makes a tenant and a test key. Returns the key when it was made now; on later starts
 * undefined. The key also lies in the data directory for `idem demo`; `production` does nothing here.
 */
export const makeFirstKey = async (config: ReadyConfig, store: Store): Promise<string | undefined> => {
  const tenants = await store.listTenants();
  if (config.mode === "production" || tenants.length > 0) {
    return undefined;
  }
  const tenantId = randomUUID();
  await store.createTenant({ id: tenantId, name: "Test tenant", createdAt: new Date() });
  const { key } = await createKey(store, {
    tenantId,
    name: "First test key",
    world: "test",
    scopes: allScopes,
  });
  const file = join(config.dataDirectory, developmentKeyFile);
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return key;
};

/** The key that the first development start left in the data directory. */
export const readDevelopmentKey = async (directory: string): Promise<string> =>
  (await readFile(join(directory, developmentKeyFile), "utf8")).trim();
