/** Composition root of the storage: store, keys and blobs. */
import { randomBytes, randomUUID } from "node:crypto";
import { existsSync } from "node:fs";
import { join, resolve } from "node:path";
import type { UserCommands } from "#features/users/store/user-store";
import { makeUserAdmin, type UserAdmin } from "#features/users/user-admin";
import { type DocumentList, makeDocumentList } from "#judging/document/decision/history/listed-documents";
import type { Config } from "#machine/config/config";
import type { Blobs, Keyring } from "#machine/storage/blobs";
import type { StoreLife } from "#machine/storage/commands";
import {
  checkOwner,
  createPrivate,
  findHolder,
  type HolderWait,
  openDataDirectory,
  whileHeld,
} from "#machine/storage/data-directory";
import type { Objects } from "#machine/storage/objects";
import type { PlannedMigration } from "#machine/storage/plan-migrations";
import { rightsSecret } from "#machine/storage/rights/rights-secret";
import { makeBlobs } from "#machine/storage/sealed-blobs";
import type { AssetCommands } from "#record/operations/store/asset-store";
import type { OperationCommands } from "#record/operations/store/operation-store";
import type { RightsCommands } from "#record/rights/rights-store";
import { makeMeasurementSeal } from "#record/transactions/measurement-seal";
import type { EvidenceCommands } from "#record/transactions/store/evidence-store";
import type { TransactionCommands } from "#record/transactions/store/transaction-store";
import type { KeyCommands } from "#trust/key-ring/key-store";
import { destroyTenantKeys, type ForgetfulKeyring, makeKeyring, rotateMaster } from "#trust/key-ring/keyring";
import type { SecretCommands } from "#trust/key-ring/secret-store";
import { developmentAuthoritySecret, makeDevelopmentKeyStore } from "#trust/signers/development/key-store";
import type { TenantCommands } from "#trust/tenants/store/tenant-store";
import {
  makeTokenKeyStore,
  openSealedKeys,
  type TokenKeyStore,
  tokenKeysSecret,
} from "#trust/tokens/key-store";
import { publishKeys } from "#trust/tokens/keys";
import type { DecisionReads } from "./decision-export.ts";
import { finishErasure, forgetMeasurements, untilNone } from "./erasure.ts";
import { isReady, masterSealerOf, mastersOf, type ReadyConfig } from "./master-keys.ts";
import { openObjects } from "./open-objects.ts";
import type { ObjectState, StoreProbe } from "./probe.ts";
import { makeRecordingStore, type RecordingStore } from "./recording-store.ts";
import { holdRights, openRights, resealRights } from "./rights.ts";
import { explainDirectory, explainFile, explainPostgres, storeFile } from "./storage-errors.ts";
import { openPostgresStore, openSqliteStore, openSqliteStoreToRead, type Store } from "./store.ts";
import { type WatchedStore, watchSteps } from "./watch-steps.ts";

export { masterSealerOf, mastersOf, type ReadyConfig } from "./master-keys.ts";

const clock = (): Date => new Date();

/** A store that is open, and its end. */
export type OpenedStore = { readonly store: Store; readonly close: () => Promise<void> };

export type StoreOpening = {
  readonly migrate?: boolean;
  /** How long to wait for another process that has the embedded store open. Default: not at all. */
  readonly wait?: HolderWait;
};

/**
 * Opens the store that the configuration names. Migrates the tables of the embedded store always, those of
 * PostgreSQL if `migrate` is set. The embedded store locks its data directory for this process; several
 * processes may share PostgreSQL. With a master key it holds the key of the seals. Throws Error with the
 * setting, the cause and the next step.
 *
 * @example
 * ```ts
 * import { openStore } from "#app/storage";
 * import { readConfig } from "#machine/config/config";
 *
 * const { store, close } = await openStore(readConfig());
 * try {
 *   console.log(await store.listTenants());
 * } finally {
 *   await close();
 * }
 * ```
 */
export const openStore = async (config: Config, options: StoreOpening = {}): Promise<OpenedStore> => {
  const opened = await openUnheld(config, options);
  try {
    if (isReady(config)) await openRights(opened.store, config, clock());
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
};

/**
 * As {@link openStore}, for a start whose master key is not settled: it calls `openRights` before it reads or
 * writes a row that gives a right.
 */
export const openUnheld = async (
  config: Config,
  { migrate = false, wait = { ms: 0, onHeld: () => undefined } }: StoreOpening = {},
): Promise<OpenedStore> => {
  if (config.databaseUrl !== undefined) {
    const { databaseUrl: url } = config;
    const store = await openPostgres(url, migrate).catch((error: unknown) => {
      throw explainPostgres(error, url);
    });
    return { store, close: store.close };
  }
  const lock = whileHeld(() => openDataDirectory(config.dataDirectory), wait);
  const directory = await lock.catch((error: unknown) => {
    throw explainDirectory(error, config.dataDirectory);
  });
  const path = join(directory.path, storeFile);
  try {
    await createPrivate(path);
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

/**
 * The migrations that {@link openStore} would run with `migrate`, in their order. Changes nothing, and may
 * run beside a service. Throws Error with the setting, the cause and the next step.
 */
export const planMigrations = async ({
  databaseUrl: url,
  dataDirectory,
}: Config): Promise<readonly PlannedMigration[]> => {
  const { planPostgres, planSqlite } = await import("#machine/storage/plan-migrations");
  const { migrations } = await import("./tables.ts");
  const file = join(dataDirectory, storeFile);
  return await (url === undefined ? planSqlite(file, migrations) : planPostgres({ url }, migrations)).catch(
    (error: unknown) => {
      throw url === undefined ? explainFile(error, file) : explainPostgres(error, url);
    },
  );
};

const openPostgres = async (url: string, migrate: boolean): Promise<Store> => {
  if (migrate) {
    const { migratePostgres } = await import("#machine/storage/postgres-store");
    const { migrations } = await import("./tables.ts");
    await migratePostgres({ url }, migrations, clock());
  }
  return await openPostgresStore({ url });
};

/** The places of stored data. Made by {@link openPlaces}. */
export type Places = WatchedStore & {
  readonly objects: Objects;
  readonly close: () => Promise<void>;
};

/** Store, key ring and blobs of one process. Made by {@link openStorage}. */
export type Storage = Omit<Places, "store"> & {
  readonly store: RecordingStore;
  /** The same store, for work on sealed rows. */
  readonly sealedStore: Store;
  readonly keyring: ForgetfulKeyring;
  readonly blobs: Blobs;
};

/** The deployment's key pairs for tokens, sealed by its master key. */
export const openTokenKeys = (store: SecretCommands, config: ReadyConfig): TokenKeyStore =>
  makeTokenKeyStore(store, masterSealerOf(config, tokenKeysSecret));

/**
 * Wraps every data key, the token keys, the development authority and the key of the seals under the current
 * master key. After that the previous master key is not needed. Returns the number of data keys that were
 * wrapped.
 */
export const rewrapKeys = async (
  store: KeyCommands & SecretCommands,
  config: ReadyConfig,
): Promise<number> => {
  await openTokenKeys(store, config).loadOrCreate(clock());
  await makeDevelopmentKeyStore(store, masterSealerOf(config, developmentAuthoritySecret)).reseal();
  await resealRights(store, config);
  return await rotateMaster(store, mastersOf(config));
};

/** The commands that read the evidence. */
export type EvidenceReads = Pick<EvidenceCommands, "listChainHeads" | "listLinks" | "listAnchors"> &
  Pick<TenantCommands, "listTenants"> &
  Pick<RightsCommands, "compareRights" | "listRights" | "listUnrevoked" | "hasSeals"> &
  Pick<SecretCommands, "findSecret"> &
  Pick<KeyCommands, "listKeys">;

/**
 * Opens the store for reading alone, beside a running service and without a master key. Undefined if nothing
 * is stored yet. Throws Error with the setting, the cause and the next step.
 */
export const openStoreToRead = async (
  config: Config,
): Promise<
  { readonly store: EvidenceReads & DecisionReads; readonly close: () => Promise<void> } | undefined
> => await openAnyToRead(config);

type ReadOnly = {
  readonly store: Omit<Store, Exclude<keyof StoreLife, "holdRights">>;
  readonly close: () => Promise<void>;
};

/** With a master key, what is read is compared with its seals, where the store has any. */
const openAnyToRead = async (config: Config): Promise<ReadOnly | undefined> => {
  const opened = await openUnheldToRead(config);
  if (opened === undefined || !isReady(config)) return opened;
  try {
    await holdRights(opened.store, config);
    return opened;
  } catch (error) {
    await opened.close();
    throw error;
  }
};

const openUnheldToRead = async (config: Config): Promise<ReadOnly | undefined> => {
  if (config.databaseUrl !== undefined) {
    return await openUnheld(config);
  }
  const path = join(config.dataDirectory, storeFile);
  if (!existsSync(path)) {
    return undefined;
  }
  try {
    return await openSqliteStoreToRead(path);
  } catch (error) {
    throw explainFile(error, path);
  }
};

/** The commands, keys and objects of a store that is read alone. Made by {@link openStorageToRead}. */
export type ReadStorage = {
  readonly store: ReadStore;
  readonly keyring: Pick<Keyring, "open">;
  readonly blobs: Pick<Blobs, "get">;
  readonly close: () => Promise<void>;
};

type ReadStore = EvidenceReads &
  Pick<SecretCommands, "findSecret" | "replaceSecret"> &
  Pick<OperationCommands, "readTimeline"> &
  Pick<AssetCommands, "findAsset"> &
  Pick<TransactionCommands, "findTransaction">;

/**
 * Opens store, keys and objects for reading alone, beside a running service. Fails as
 * {@link openStoreToRead}.
 */
export const openStorageToRead = async (config: ReadyConfig): Promise<ReadStorage | undefined> => {
  const opened = await openAnyToRead(config);
  if (opened === undefined) return undefined;
  const { store, close } = opened;
  const keyring = makeKeyring({ store, masters: mastersOf(config), now: clock });
  const { open } = makeMeasurementSeal(keyring);
  const findTransaction: ReadStore["findTransaction"] = async (tenantId, id) => {
    const found = await store.findTransaction(tenantId, id);
    return found && (await open(found));
  };
  const blobs = makeBlobs(await openObjects(config), keyring, store);
  return { store: { ...store, findTransaction }, keyring, blobs, close };
};

/**
 * Destroys the tenant's data keys: data sealed under them can never be opened again. Removes what no key
 * sealed: measurements of earlier releases, bodies of evidence, operations, users, blocked faces, and the
 * answers kept for retries. After an interruption, the tidying of the service finishes what follows the keys.
 * Returns the ids of the destroyed keys.
 */
export const eraseTenant = async (store: Store, tenantId: string): Promise<readonly string[]> => {
  const begun = clock();
  // First, so that no service seals them under a new key after the old one is gone.
  await forgetMeasurements(store, tenantId);
  const destroyed = await destroyTenantKeys(store, tenantId, begun);
  await untilNone(() => store.forgetIdempotentCalls(tenantId, begun));
  await finishErasure({ store, clock, newId: randomUUID }, { tenantId, at: clock() });
  return destroyed;
};

/** The commands that user administration needs. */
export type UserAdminStore = KeyCommands & Pick<UserCommands, "findUser" | "enableUser">;

/** User administration: operations of the operator on single users. */
export const openUserAdmin = (store: UserAdminStore, config: ReadyConfig): UserAdmin => {
  const keyring = makeKeyring({ store, masters: mastersOf(config), now: clock });
  return makeUserAdmin({ store, keyring, clock, newId: randomUUID });
};

/** The operator's list of documents that were used in fraud. */
export const openDocumentList = (store: Store, config: ReadyConfig): DocumentList => {
  const keyring = makeKeyring({ store, masters: mastersOf(config), now: clock });
  return makeDocumentList({ store, keyring, clock, newId: randomUUID });
};

/** Throws Error with the next step if others can read the data directory or another user owns it. */
export const checkDirectory = async ({ dataDirectory }: Config): Promise<void> =>
  await checkOwner(resolve(dataDirectory));

/** The process that has the directory of the embedded store open, as text; undefined if there is none. */
export const findStoreHolder = async ({ dataDirectory }: Config): Promise<string | undefined> =>
  await findHolder(dataDirectory);

/** State of the store, for `idem doctor`. Made by {@link inspectStore}. */
export type Inspection = {
  readonly isCurrent: boolean;
  /**
   * Ids of the published token keys: none before the first start of the service, absent without master key.
   */
  readonly keyIds?: readonly string[];
  /** Number of blocked faces, by the recogniser of their templates. */
  readonly blocked?: StoreProbe["blocked"];
  /** Since when a delivery of events is due; absent where none is. */
  readonly deliverySince?: Date;
  /** Absent where migrations are missing. */
  readonly objects?: ObjectState;
};

/**
 * Inspects the store without a change; a service may be running on it. Undefined if there is no embedded
 * store yet. Fails as {@link openStore}, and if the store refuses writes or another master key sealed it.
 */
export const inspectStore = async (
  config: Config & Pick<ReadyConfig, "masterKeyFile">,
): Promise<Inspection | undefined> => {
  const { databaseUrl: url, dataDirectory, masterKey } = config;
  const file = join(dataDirectory, storeFile);
  if (url === undefined && !existsSync(file)) {
    return undefined;
  }
  const { probePostgres, probeSqlite } = await import("./probe.ts");
  const probe = await (url === undefined
    ? probeSqlite(file, tokenKeysSecret)
    : probePostgres({ url }, tokenKeysSecret)
  ).catch((error: unknown) => {
    throw url === undefined ? explainFile(error, file) : explainPostgres(error, url);
  });
  const { isCurrent, secret, blocked = [], deliverySince, objects } = probe;
  const found = { isCurrent, blocked, ...(deliverySince && { deliverySince }), ...(objects && { objects }) };
  if (masterKey === undefined) {
    return found;
  }
  const keys =
    secret && (await openSealedKeys(secret, masterSealerOf({ ...config, masterKey }, tokenKeysSecret)));
  return { ...found, keyIds: keys ? publishKeys(keys).keys.map(({ kid }) => kid) : [] };
};

/**
 * Writes an object to the blob storage, reads it and removes it. No tenant has its name, so no sweep touches
 * it. Throws Error if the object is missing or different.
 */
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

/**
 * Opens store and objects of one process. Neither needs a master key; {@link openRights} comes before
 * {@link openStorage}. Waits as {@link openStore}.
 */
export const openPlaces = async (config: Config, wait?: HolderWait): Promise<Places> => {
  const { store, close } = await openUnheld(config, { ...(wait && { wait }) });
  try {
    return { ...watchSteps(store), close, objects: await openObjects(config) };
  } catch (error) {
    await close();
    throw error;
  }
};

/** The storage on opened places. */
export const openStorage = ({ store, ...places }: Places, config: ReadyConfig): Storage => {
  const keyed = withKeys(store, config);
  return { ...places, ...keyed, blobs: makeBlobs(places.objects, keyed.keyring, store) };
};

const withKeys = (sealedStore: Store, config: ReadyConfig) => {
  const keyring = makeKeyring({ store: sealedStore, masters: mastersOf(config), now: clock });
  return { store: makeRecordingStore(sealedStore, keyring), sealedStore, keyring };
};

/** A store with the keys that open the measurements of its transactions. */
export type RecordingStorage = Pick<Storage, "store" | "sealedStore" | "keyring" | "close">;

/** The same store, with the keys that open the measurements of its transactions. */
export const openRecordingStore = ({ store, close }: OpenedStore, config: ReadyConfig): RecordingStorage => ({
  ...withKeys(store, config),
  close,
});

/** Whether the store holds a key that a master key wrapped: without that master key its content is lost. */
export const holdsWrappedKeys = async (
  store: Pick<KeyCommands, "listKeys"> & Pick<SecretCommands, "findSecret">,
): Promise<boolean> =>
  (await store.findSecret(tokenKeysSecret)) !== undefined ||
  (await store.findSecret(rightsSecret)) !== undefined ||
  (await store.listKeys()).some(({ wrapped }) => wrapped !== null);
