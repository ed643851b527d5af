/** Composition root of what the service keeps: store, keys, blobs. */
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Config } from "./config.ts";
import { type DocumentList, makeDocumentList } from "./document/document-list.ts";
import { explainDirectory, explainFile, explainPostgres, storeFile } from "./open-storage-errors.ts";
import { makePeopleDesk, type PeopleDesk } from "./people/people-desk.ts";
import type { Blobs, Keyring } from "./storage/blobs.ts";
import { checkOwner, findHolder, openDataDirectory } from "./storage/data-directory.ts";
import { makeDiskObjects } from "./storage/disk-objects.ts";
import { destroyTenantKeys, type Masters, makeKeyring, rotateMaster } from "./storage/keyring.ts";
import { masterKeyOf } from "./storage/master-key.ts";
import type { Objects } from "./storage/objects.ts";
import { migratePostgres, openPostgresStore } from "./storage/postgres-store.ts";
import { type Probe, probePostgres, probeSqlite } from "./storage/probe.ts";
import { makeBlobs } from "./storage/sealed-blobs.ts";
import { openSqliteStore } from "./storage/sqlite-store.ts";
import type { Store } from "./storage/store.ts";
import {
  makeTokenKeyStore,
  openSealedKeys,
  type TokenKeyStore,
  tokenKeysSecret,
} from "./tokens/key-store.ts";
import { publishKeys } from "./tokens/keys.ts";
import { makeMasterSealer } from "./tokens/master-sealer.ts";

/** A configuration whose master key is there. */
export type ReadyConfig = Config & { readonly masterKey: Uint8Array };

const clock = (): Date => new Date();

/**
 * Opens the store that the configuration names; on the embedded one, and when told so, brings its tables up to date.
 * The embedded store takes its data directory for this process alone; with PostgreSQL several processes may share one.
 */
export const openStore = async (
  config: Config,
  { migrate = false }: { readonly migrate?: boolean } = {},
): Promise<{ readonly store: Store; readonly close: () => Promise<void> }> => {
  if (config.databaseUrl !== undefined) {
    const { databaseUrl: url } = config;
    const store = await openPostgres(url, migrate).catch((error: unknown) => {
      throw explainPostgres(error, url);
    });
    return { store, close: store.close };
  }
  const directory = await openDataDirectory(config.dataDirectory).catch((error: unknown) => {
    throw explainDirectory(error, config.dataDirectory);
  });
  const path = join(directory.path, storeFile);
  try {
    const store = await openSqliteStore({ path });
    const close = async (): Promise<void> => {
      await store.close();
      directory.release();
    };
    return { store, close };
  } catch (error) {
    directory.release();
    throw explainFile(error, path);
  }
};

const openPostgres = async (url: string, migrate: boolean): Promise<Store> => {
  if (migrate) {
    await migratePostgres({ url }, clock());
  }
  return await openPostgresStore({ url });
};

export type Storage = {
  readonly store: Store;
  readonly keyring: Keyring;
  readonly objects: Objects;
  readonly blobs: Blobs;
  readonly close: () => Promise<void>;
};

/** The master keys of a process, the current one first. */
export const mastersOf = ({ masterKey, masterKeyPrevious: previous }: ReadyConfig): Masters => [
  masterKeyOf(masterKey),
  ...(previous === undefined ? [] : [masterKeyOf(previous)]),
];

/** The deployment's pairs for tokens, sealed by its master key. */
export const openTokenKeys = (store: Store, config: ReadyConfig): TokenKeyStore =>
  makeTokenKeyStore(store, makeMasterSealer(config.masterKey, config.masterKeyPrevious));

/**
 * Wraps every data key and the token keys under the current master key, so that the previous one can be dropped.
 * Answers how many data keys there were to wrap.
 */
export const rewrapKeys = async (store: Store, config: ReadyConfig): Promise<number> => {
  await openTokenKeys(store, config).loadOrCreate(clock());
  return await rotateMaster(store, mastersOf(config));
};

/** What one command of the store removes at most: a full one means that there is more. */
const purgeMax = 1000;

/**
 * Destroys the tenant's data keys, so that nothing sealed for it can be opened again, and removes the users and
 * blocked faces whose templates were sealed under them. Answers the ids of the keys.
 */
export const eraseTenant = async (store: Store, tenantId: string): Promise<readonly string[]> => {
  const destroyed = await destroyTenantKeys(store, tenantId, clock());
  while ((await store.purgePeople()) === purgeMax);
  while ((await store.purgeBlocked()) === purgeMax);
  return destroyed;
};

/** What an operator does with single users. */
export const openPeopleDesk = (store: Store, config: ReadyConfig): PeopleDesk => {
  const keyring = makeKeyring({ store, masters: mastersOf(config), now: clock });
  return makePeopleDesk({ store, keyring, clock, newId: randomUUID });
};

/** The operator's list of documents that are known from fraud. */
export const openDocumentList = (store: Store, config: ReadyConfig): DocumentList => {
  const keyring = makeKeyring({ store, masters: mastersOf(config), now: clock });
  return makeDocumentList({ store, keyring, clock, newId: randomUUID });
};

/** Throws, with the way out, for a data directory that others can look into or that another user owns. */
export const checkDirectory = async ({ dataDirectory }: Config): Promise<void> =>
  await checkOwner(resolve(dataDirectory));

/** The process that has the embedded store's directory open, as text. */
export const findStoreHolder = async ({ dataDirectory }: Config): Promise<string | undefined> =>
  await findHolder(dataDirectory);

/** What a look at the store found, for `idem doctor`. */
export type Inspection = {
  readonly isCurrent: boolean;
  /** Ids of the keys that a service of this store publishes: none before its first start, absent without master key. */
  readonly keyIds?: readonly string[];
  /** How many faces are blocked, by the recogniser of their templates. */
  readonly blocked?: Probe["blocked"];
};

/**
 * Looks at the store without changing it, a service may run on it; undefined when there is no embedded one yet. Fails as
 * `openStore` does, when the store takes no writes, and when the master key is not the one that sealed it.
 */
export const inspectStore = async (
  { databaseUrl: url, dataDirectory, masterKeyPrevious }: Config,
  masterKey: Uint8Array | undefined,
): Promise<Inspection | undefined> => {
  const file = join(dataDirectory, storeFile);
  if (url === undefined && !existsSync(file)) {
    return undefined;
  }
  const probe = await (url === undefined
    ? probeSqlite(file, tokenKeysSecret)
    : probePostgres({ url }, tokenKeysSecret)
  ).catch((error: unknown) => {
    throw url === undefined ? explainFile(error, file) : explainPostgres(error, url);
  });
  const { isCurrent, secret, blocked = [] } = probe;
  if (masterKey === undefined) {
    return { isCurrent, blocked };
  }
  const keys = secret && (await openSealedKeys(secret, makeMasterSealer(masterKey, masterKeyPrevious)));
  return { isCurrent, blocked, keyIds: keys ? publishKeys(keys).keys.map(({ kid }) => kid) : [] };
};

/** Puts an object where the blobs lie, reads it and removes it again. No tenant has this name: no sweep touches it. */
export const probeObjects = async (config: Config): Promise<void> => {
  const objects = await openObjects(config);
  const name = { tenantId: "doctor", id: randomUUID() };
  const bytes = randomBytes(32);
  await objects.write(name, bytes);
  const read = await objects.read(name);
  await objects.remove(name);
  if (read === undefined || !bytes.equals(read)) {
    throw new Error("An object that was written is not there, or not as it was written");
  }
};

/** Store, keyring and blobs of one process. */
export const openStorage = async (config: ReadyConfig): Promise<Storage> => {
  const { store, close } = await openStore(config);
  const keyring = makeKeyring({ store, masters: mastersOf(config), now: clock });
  const objects = await openObjects(config);
  return { store, close, keyring, objects, blobs: makeBlobs(objects, keyring) };
};

const openObjects = async ({ s3, dataDirectory }: Config): Promise<Objects> => {
  if (s3 === undefined) {
    return makeDiskObjects(join(dataDirectory, "blobs"));
  }
  // Loaded where it is wanted: the client costs a tenth of a start.
  const { makeS3Objects } = await import("./storage/s3-objects.ts");
  return await makeS3Objects({
    bucket: s3.bucket,
    region: s3.region,
    // Servers other than AWS rarely resolve bucket names as hosts.
    pathStyle: s3.endpoint !== undefined,
    ...(s3.prefix === undefined ? {} : { prefix: s3.prefix }),
    ...(s3.endpoint === undefined ? {} : { endpoint: s3.endpoint }),
    ...(s3.accessKeyId === undefined ? {} : { accessKey: s3.accessKeyId }),
    ...(s3.secretAccessKey === undefined ? {} : { secretKey: s3.secretAccessKey }),
  });
};
