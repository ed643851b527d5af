import { randomUUID } from "node:crypto";
import { readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { openKeyAdmin } from "#app/keys";
import { hashApiKey, looksLikeApiKey, makeApiKey } from "#contract/api-key";
import { scopes } from "#contract/scope";
import type { Config } from "#machine/config/config";
import type { NewKey } from "#trust/tenants/key-admin";
import type { ApiKey } from "#trust/tenants/store/tenant";
import type { TenantCommands } from "#trust/tenants/store/tenant-store";
import { writeFirst } from "./write-first.ts";

/** A secret that only a development start writes; production refuses a directory with it. */
export const developmentKeyFile = "development-key";

/** Name of the tenant that the first development start creates; it identifies an interrupted start. */
const firstTenantName = "Test tenant";

/** Stores a key: the store itself, or the use cases over it. */
type KeyStore = { readonly createApiKey: (key: ApiKey) => Promise<void> };

/** Creates a key of a tenant and stores its hash; returns the key itself once. */
export const createKey = async (
  store: KeyStore,
  wanted: NewKey,
): Promise<{ readonly id: string; readonly key: string }> => {
  const key = makeApiKey(wanted.environment);
  return { id: await storeKey(store, key, wanted), key };
};

/** Stores the hash of a key; returns the id of the key. */
export const storeKey = async (store: KeyStore, key: string, wanted: NewKey): Promise<string> => {
  const id = randomUUID();
  await store.createApiKey({ ...wanted, id, hash: hashApiKey(key), createdAt: new Date() });
  return id;
};

/**
 * The first development start creates a tenant and a test key. Returns a new key; undefined on later starts.
 * The key is also written to the data directory for `idem demo`. In `production` this does nothing.
 *
 * The key's file comes first, then tenant and key in the store: the next start can finish any interrupted
 * start.
 */
export const makeFirstKey = async (
  config: Pick<Config, "mode" | "dataDirectory">,
  store: TenantCommands,
): Promise<string | undefined> => {
  if (config.mode === "production" || !(await awaitsFirstKey(store))) {
    return undefined;
  }
  const key = await developmentKey(config.dataDirectory);
  const [first] = await store.listTenants();
  const created = { id: randomUUID(), name: firstTenantName, createdAt: new Date() };
  const { id: tenantId } = first ?? (await store.createTenant(created));
  // The key gets an entry of evidence, as every key does. A key without an entry counts as forged.
  await storeKey(openKeyAdmin(store), key, { tenantId, name: "First test key", environment: "test", scopes });
  return key;
};

/**
 * In development, stores the key of certificates of IDEM_CLEARING_TEST_KEY for the tenant of the first start,
 * where the store does not know it: the sandbox writes both before its service has a store. In `production`
 * this does nothing.
 */
export const storeCertificateKey = async (
  { mode, clearing }: Pick<Config, "mode" | "clearing">,
  store: TenantCommands,
): Promise<void> => {
  const key = clearing.entities.test?.certificateKey;
  if (mode === "production" || key === undefined || !looksLikeApiKey(key)) return;
  const [first] = await store.listTenants();
  if (first?.name !== firstTenantName || (await store.findApiKey(hashApiKey(key))) !== undefined) return;
  const wanted = { tenantId: first.id, name: "Key of certificates", environment: "test" } as const;
  await storeKey(openKeyAdmin(store), key, { ...wanted, scopes: ["certificate"] });
};

/**
 * True for a store without a tenant, and for a store whose first tenant has no key because the start was
 * interrupted.
 */
const awaitsFirstKey = async (
  store: Pick<TenantCommands, "listTenants" | "listApiKeys">,
): Promise<boolean> => {
  const [first, ...others] = await store.listTenants();
  if (first === undefined) {
    return true;
  }
  const isOurs = first.name === firstTenantName && others.length === 0;
  return isOurs && (await store.listApiKeys(first.id)).length === 0;
};

/** The key in the directory's file; a new key where the file is missing or holds no key. */
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
