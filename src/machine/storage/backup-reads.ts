import Database from "better-sqlite3";
import type { Kysely } from "kysely";
import type { StatedObject } from "./blob-store.ts";
import { createPrivate } from "./data-directory.ts";
import type { ObjectName } from "./objects.ts";
import { openPostgresKysely, type PostgresAddress } from "./postgres-store.ts";
import { openSqliteConnection } from "./sqlite-database.ts";

/** The columns that every release had. */
type BackupTables = {
  migrations: { version: number };
  tenants: { id: string };
  evidence: { tenantId: string; seq: number; hash: string };
  /** `sha256` since migration 28. */
  blobs: { tenantId: string; id: string; bytes: number; sha256: string | null };
  keys: { masterId: string; wrapped: Uint8Array | null };
};

/** What a backup states of a store, of this release or an earlier one. Reads alone. */
export type BackupReads = {
  /** Version of the newest migration that has run. */
  readonly schema: () => Promise<number>;
  /** Ids of the master keys that wrap the data keys. */
  readonly masterKeyIds: () => Promise<readonly string[]>;
  /** The last entry of the chain of each tenant that has one. */
  readonly heads: () => Promise<readonly ChainEnd[]>;
  /** The hash of an entry of a chain; undefined where the chain has none at this place. */
  readonly hashAt: (tenantId: string, seq: number) => Promise<string | undefined>;
  readonly countBlobs: () => Promise<{ readonly count: number; readonly bytes: number }>;
  /**
   * What the rows state of all stored objects, in the order of tenant and id. A store of an earlier release
   * states no hash.
   */
  readonly blobs: () => AsyncGenerator<StatedObject, undefined>;
  /** Up to `limit` names of them after a name, with their lengths. */
  readonly blobsAfter: (after: ObjectName | undefined, limit: number) => Promise<readonly StatedObject[]>;
  readonly hasBlob: (name: ObjectName) => Promise<boolean>;
  /** A fault of the file itself in the words of SQLite; undefined where there is none. */
  readonly findFault: () => string | undefined;
  readonly close: () => Promise<void>;
};

export type ChainEnd = { readonly tenantId: string; readonly seq: number; readonly hash: string };

/** Opens the file of an embedded store, which must exist. A service may have it open. */
export const openSqliteReads = (path: string): BackupReads => {
  const { sqlite, db } = openSqliteConnection<BackupTables>(path);
  sqlite.pragma("query_only = ON");
  const findFault = (): string | undefined => {
    const found = String(sqlite.pragma("integrity_check(1)", { simple: true }));
    return found === "ok" ? undefined : found;
  };
  return { ...makeReads(db), findFault, close: () => db.destroy() };
};

/** Opens a PostgreSQL database. */
export const openPostgresReads = (address: PostgresAddress): BackupReads => {
  const db = openPostgresKysely<BackupTables>({ ...address, connectionsMax: 1 });
  // The server checks its own files.
  return { ...makeReads(db), findFault: () => undefined, close: () => db.destroy() };
};

const pageMax = 1000;

const makeReads = (db: Kysely<BackupTables>): Omit<BackupReads, "findFault" | "close"> => ({
  schema: () => readSchema(db),

  masterKeyIds: async () => {
    // Full scan: some keys for each tenant.
    const rows = await db
      .selectFrom("keys")
      .select("masterId")
      .distinct()
      .where("wrapped", "is not", null)
      .orderBy("masterId")
      .execute();
    return rows.map(({ masterId }) => masterId);
  },

  ...makeChainReads(db),
  ...makeBlobReads(db),
});

const readSchema = async (db: Kysely<BackupTables>): Promise<number> => {
  // Primary key, backwards, one row.
  const row = await db
    .selectFrom("migrations")
    .select("version")
    .orderBy("version", "desc")
    .limit(1)
    .executeTakeFirst();
  return row?.version ?? 0;
};

const makeChainReads = (db: Kysely<BackupTables>): Pick<BackupReads, "heads" | "hashAt"> => ({
  heads: async () => {
    const tenants = await db.selectFrom("tenants").select("id").orderBy("id").execute();
    const heads: ChainEnd[] = [];
    for (const { id } of tenants) {
      // Primary key of evidence, backwards, one row.
      const head = await db
        .selectFrom("evidence")
        .select(["tenantId", "seq", "hash"])
        .where("tenantId", "=", id)
        .orderBy("seq", "desc")
        .limit(1)
        .executeTakeFirst();
      if (head !== undefined) heads.push(head);
    }
    return heads;
  },

  hashAt: async (tenantId, seq) => {
    // Primary key, one row.
    const row = await db
      .selectFrom("evidence")
      .select("hash")
      .where("tenantId", "=", tenantId)
      .where("seq", "=", seq)
      .executeTakeFirst();
    return row?.hash;
  },
});

const makeBlobReads = (
  db: Kysely<BackupTables>,
): Pick<BackupReads, "countBlobs" | "blobs" | "blobsAfter" | "hasBlob"> => ({
  countBlobs: async () => {
    // Full scan, for the length of the progress alone.
    const row = await db
      .selectFrom("blobs")
      .select(({ fn }) => [
        fn.countAll<number | string>().as("count"),
        fn.sum<number | string | null>("bytes").as("bytes"),
      ])
      .executeTakeFirstOrThrow();
    // PostgreSQL gives a sum as text.
    return { count: Number(row.count), bytes: Number(row.bytes ?? 0) };
  },

  blobs: async function* () {
    const hasHashes = (await readSchema(db)) >= hashedSince;
    for (let last: ObjectName | undefined; ; ) {
      const page = await pageAfter(db, last, hasHashes, pageMax);
      yield* page;
      last = page.at(-1);
      if (last === undefined) return undefined;
    }
  },

  blobsAfter: async (after, limit) => await pageAfter(db, after, false, limit),

  hasBlob: async ({ tenantId, id }) => {
    // Primary key, one row.
    const row = await db
      .selectFrom("blobs")
      .select("id")
      .where("tenantId", "=", tenantId)
      .where("id", "=", id)
      .executeTakeFirst();
    return row !== undefined;
  },
});

/** The migration that gave the rows of blobs their hash. */
const hashedSince = 28;

/** Primary key (tenant_id, id), a range of it. */
const pageAfter = async (
  db: Kysely<BackupTables>,
  last: ObjectName | undefined,
  hasHashes: boolean,
  limit: number,
): Promise<readonly StatedObject[]> => {
  const rows = await db
    .selectFrom("blobs")
    .select(["tenantId", "id", "bytes"])
    .$if(hasHashes, (query) => query.select("sha256"))
    .$if(last !== undefined, (query) =>
      query.where((row) =>
        row(row.refTuple("tenantId", "id"), ">", row.tuple(last?.tenantId ?? "", last?.id ?? "")),
      ),
    )
    .orderBy("tenantId")
    .orderBy("id")
    .limit(limit)
    .execute();
  return rows.map(({ sha256, ...row }) => ({ ...row, ...(typeof sha256 === "string" && { sha256 }) }));
};

/** Pages of one step of a copy: 8 MiB. */
const pagesPerStep = 2048;

/**
 * Copies the file of an embedded store as it stands at one commit, while a service writes to it. The copy is
 * readable by its owner alone. `onProgress` gets the share that is done, from 0 to 1.
 */
export const copySqlite = async (
  path: string,
  target: string,
  onProgress: (share: number) => void,
): Promise<void> => {
  await createPrivate(target);
  const sqlite = new Database(path, { fileMustExist: true, timeout: busyTimeoutMs });
  try {
    // Without an open read the copy would begin again after each commit of the service.
    sqlite.exec("begin");
    sqlite.prepare("select 1 from sqlite_master limit 1").get();
    await sqlite.backup(target, {
      progress: ({ totalPages, remainingPages }) => {
        onProgress(totalPages === 0 ? 1 : 1 - remainingPages / totalPages);
        return pagesPerStep;
      },
    });
    sqlite.exec("commit");
    // An erasure of the service could not empty the log while this read was open: it ends here.
    sqlite.pragma("wal_checkpoint(TRUNCATE)");
  } finally {
    sqlite.close();
  }
};

/** Longest wait for a commit of the service. */
const busyTimeoutMs = 5000;
