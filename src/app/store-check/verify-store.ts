/**
 * Composition of `idem store verify`: opens a store for reading alone, beside a running service, and runs all
 * checks on it.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import type { Config } from "#machine/config/config";
import { openPostgresReads, openSqliteReads } from "#machine/storage/backup-reads";
import type { DatabaseCheck } from "#machine/storage/database-check";
import type { Objects } from "#machine/storage/objects";
import { planPostgres, planSqlite } from "#machine/storage/plan-migrations";
import { openPostgresCheck } from "#machine/storage/postgres-check";
import { openSqliteCheck } from "#machine/storage/sqlite-check";
import { makeKeyring } from "#trust/key-ring/keyring";
import { headFileOf, readRootFile } from "../evidence.ts";
import { openObjects } from "../open-objects.ts";
import { masterSealerOf, mastersOf, type ReadyConfig } from "../storage.ts";
import { explainPostgres, storeFile } from "../storage-errors.ts";
import { openPostgresStore, openSqliteStoreToRead } from "../store.ts";
import { migrations } from "../tables.ts";
import { checkBlobs } from "./check-blobs.ts";
import { checkDatabase } from "./check-database.ts";
import { checkEvidence } from "./check-evidence.ts";
import { checkRights } from "./check-rights.ts";
import { checkRows } from "./check-rows.ts";
import { earlierReleaseCheck } from "./earlier-release.ts";
import { embeddedRepairs, postgresRepairs, type Repairs } from "./repairs.ts";
import { type OnPart, type PartReport, reasonOf, runChecks, type StoreCheck } from "./store-check.ts";

/** A deployment that is checked; `masterKey` opens its sealed rows. */
export type CheckedConfig = Config & Partial<Pick<ReadyConfig, "masterKeyFile">>;

/** The commands that the checks read with. */
type CheckStore = Awaited<ReturnType<typeof openSqliteStoreToRead>>["store"];

/** What the checks of a store have in common. */
export type CheckParts = {
  readonly config: CheckedConfig;
  readonly database: DatabaseCheck;
  readonly store: CheckStore & { readonly countBlobs: () => Promise<number> };
  readonly objects: Objects;
  readonly repairs: Repairs;
  /** The file of the heads that were kept outside of the store; absent for a copy, which may be older. */
  readonly headFile?: string;
};

/**
 * Checks the whole store. Undefined where nothing is stored yet. Throws Error with the next step where it
 * does not answer.
 */
export const verifyStore = async (
  config: CheckedConfig,
  onPart: OnPart,
): Promise<readonly PartReport[] | undefined> => {
  if (config.databaseUrl !== undefined) return await verifyPostgres(config, config.databaseUrl, onPart);
  const file = join(config.dataDirectory, storeFile);
  const headFile = headFileOf(config);
  return existsSync(file) ? await verifyEmbedded(config, { file, headFile }, listChecks, onPart) : undefined;
};

/** Checks the file of an embedded store by the listed checks: that of the settings, or a copy. */
export const verifyEmbedded = async (
  config: CheckedConfig,
  { file, ...heads }: { readonly file: string; readonly headFile?: string },
  list: (parts: CheckParts) => Promise<readonly StoreCheck[]>,
  onPart: OnPart,
): Promise<readonly PartReport[]> => {
  const repairs = embeddedRepairs;
  let database: DatabaseCheck;
  try {
    database = openSqliteCheck(file, migrations);
  } catch (error) {
    return [unreadable(file, error, repairs)];
  }
  try {
    const earlier = await earlierReleaseCheck(planSqlite(file, migrations), database, repairs);
    if (earlier !== undefined) return await runChecks(earlier, onPart);
    const opened = await openSqliteStoreToRead(file).catch((error: unknown) => ({ error }));
    if ("error" in opened) {
      const found = await runChecks([checkDatabase(database, repairs)], onPart);
      return [...found, unreadable(file, opened.error, repairs)];
    }
    const reads = openSqliteReads(file);
    try {
      const countBlobs = async () => (await reads.countBlobs()).count;
      const objects = await openObjects(config);
      const store = { ...opened.store, countBlobs };
      return await runChecks(await list({ ...heads, config, database, store, objects, repairs }), onPart);
    } finally {
      await reads.close();
      await opened.close();
    }
  } finally {
    await database.close();
  }
};

const unreadable = (file: string, error: unknown, repairs: Repairs): PartReport => ({
  part: "store",
  checked: 0,
  faultCount: 1,
  faults: [
    {
      part: "store",
      place: file,
      fault: `cannot be read: ${reasonOf(error)}. Nothing else was checked`,
      repair: repairs.database,
    },
  ],
  remarks: [],
});

const verifyPostgres = async (
  config: CheckedConfig,
  url: string,
  onPart: OnPart,
): Promise<readonly PartReport[]> => {
  const database = openPostgresCheck({ url });
  try {
    const plan = planPostgres({ url }, migrations);
    const earlier = await earlierReleaseCheck(plan, database, postgresRepairs);
    return await (earlier === undefined
      ? verifyMigrated(config, url, database, onPart)
      : runChecks(earlier, onPart)
    ).catch((error: unknown) => {
      throw explainPostgres(error, url);
    });
  } finally {
    await database.close();
  }
};

const verifyMigrated = async (
  config: CheckedConfig,
  url: string,
  database: DatabaseCheck,
  onPart: OnPart,
): Promise<readonly PartReport[]> => {
  const opened = await openPostgresStore({ url });
  const reads = openPostgresReads({ url });
  try {
    const countBlobs = async () => (await reads.countBlobs()).count;
    const objects = await openObjects(config);
    const store = { ...opened, countBlobs };
    const headFile = headFileOf(config);
    const parts = { config, database, store, objects, repairs: postgresRepairs, headFile };
    return await runChecks(await listChecks(parts), onPart);
  } finally {
    await reads.close();
    await opened.close();
  }
};

/** All checks, in the order in which they run. */
export const listChecks = async (parts: CheckParts): Promise<readonly StoreCheck[]> => [
  ...(await listDatabaseChecks(parts)),
  checkBlobs({ ...parts, ...keyringOf(parts) }),
];

/**
 * The checks of the database alone, without the stored objects: a backup compares these while it copies them.
 */
export const listDatabaseChecks = async (parts: CheckParts): Promise<readonly StoreCheck[]> => {
  const { config, database, store, repairs, headFile } = parts;
  const { authority } = config.evidence;
  return [
    checkDatabase(database, repairs),
    checkRows({ database, store, repairs, ...keysOf(parts) }),
    checkEvidence({
      store,
      headFile,
      roots: authority && (await readRootFile(authority.caFile)),
      repairs,
    }),
    checkRights({ store, ready: readyOf(config) }),
  ];
};

/** The settings with their master key; undefined without one. */
export const readyOf = ({ masterKey, ...config }: CheckedConfig): ReadyConfig | undefined =>
  masterKey === undefined ? undefined : { ...config, masterKey };

const keyringOf = ({ config, store }: CheckParts) => {
  const ready = readyOf(config);
  return ready === undefined
    ? {}
    : { keyring: makeKeyring({ store, masters: mastersOf(ready), now: () => new Date() }) };
};

const keysOf = (parts: CheckParts) => {
  const ready = readyOf(parts.config);
  const { keyring } = keyringOf(parts);
  return ready === undefined || keyring === undefined
    ? {}
    : {
        keys: { masters: mastersOf(ready), keyring, sealerOf: (name: string) => masterSealerOf(ready, name) },
      };
};
