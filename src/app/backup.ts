/** The contents of a backup, and their way back: store, stored objects, added models and evidence heads. */
import { createReadStream, existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import { version } from "#contract/version";
import type { Config } from "#machine/config/config";
import type { Entry } from "#machine/storage/backup/archive";
import { BackupFault } from "#machine/storage/backup/backup-fault";
import type { LineOf } from "#machine/storage/backup/manifest";
import {
  type BackupReads,
  copySqlite,
  openPostgresReads,
  openSqliteReads,
} from "#machine/storage/backup-reads";
import type { StatedObject } from "#machine/storage/blob-store";
import { faultWords, judgeObject } from "#machine/storage/judge-object";
import type { Objects } from "#machine/storage/objects";
import { readObject } from "#machine/storage/read-object";
import { headFileName } from "#record/transactions/head-file";
import { nameOfObject } from "./backup-names.ts";
import { openObjects } from "./open-objects.ts";
import { explainFile, explainPostgres, storeFile } from "./storage-errors.ts";
import type { OnPart } from "./store-check/store-check.ts";
import { type CheckedConfig, listDatabaseChecks, verifyEmbedded } from "./store-check/verify-store.ts";

/** Reports the stored objects that are done, of all. */
export type CountObjects = (done: number, total: number) => void;

export type BackupDeps = {
  /** A file for the copy of the embedded store. The caller removes it. */
  readonly copy: string;
  readonly onCopy: (share: number) => void;
  readonly onObjects: CountObjects;
  /** The part of the store that is checked now. */
  readonly onCheck: OnPart;
  /** What the check of the copy left out, and why. */
  readonly onRemark: (sentence: string) => void;
  readonly now: () => Date;
  /** Damage is listed in the backup; by default it is refused. */
  readonly despiteDamage: boolean;
};

/**
 * The entries of a backup of an embedded deployment, while a service runs on it: the copy of its store at one
 * commit, then every object that this copy names. An object is durable before its row, and so it is there
 * unless it was removed since. The copy is checked first, and each object as it is copied. Throws BackupFault
 * that names the damage, unless it is to be listed or nothing repairs it.
 */
export async function* readEmbedded(config: CheckedConfig, deps: BackupDeps): AsyncGenerator<Entry> {
  const path = join(config.dataDirectory, storeFile);
  if (!existsSync(path))
    throw new BackupFault(`Nothing is stored in ${config.dataDirectory}: is IDEM_DATA right?`);
  await copySqlite(path, deps.copy, deps.onCopy).catch((error: unknown) => {
    throw explainFile(error, path);
  });
  const damage = await findDamage(config, deps);
  const copied = openSqliteReads(deps.copy);
  const live = openSqliteReads(path);
  try {
    yield* statements(copied, "embedded", deps.now());
    yield* damage.map((line) => ({ kind: "statement" as const, line }));
    yield await fileEntry(storeFile, deps.copy);
    yield* objectsOf(copied, live, await openObjects(config), deps);
    yield* filesOf(config.dataDirectory);
  } finally {
    await copied.close();
    await live.close();
  }
}

/**
 * The faults of the copied database. Throws BackupFault where an earlier backup could repair one and it is
 * not to be listed.
 */
const findDamage = async (
  config: CheckedConfig,
  { copy, onCheck, onRemark, despiteDamage }: BackupDeps,
): Promise<readonly LineOf<"damage">[]> => {
  const parts = await verifyEmbedded(config, { file: copy }, listDatabaseChecks, onCheck);
  parts.flatMap(({ remarks }) => remarks).forEach(onRemark);
  const faults = parts.flatMap((part) => part.faults);
  const lines = faults.map(({ part, place, fault, isLasting }) => ({
    type: "damage" as const,
    // The copy has a name of its own.
    place: `${part}, ${place.replace(copy, storeFile)}`.slice(0, placeMax),
    fault: fault.slice(0, placeMax),
    ...(isLasting && { lasting: isLasting }),
  }));
  // What nothing repairs would refuse every later backup.
  const refused = lines.filter(({ lasting }) => lasting === undefined);
  if (refused.length > 0 && !despiteDamage) {
    throw refusal(refused.map(({ place, fault }) => `${place}: ${fault}`));
  }
  return lines;
};

/** Longest text of a line of damage. */
const placeMax = 1000;

/** Findings that the refusal names. */
const namedMax = 5;

const refusal = (findings: readonly string[]): BackupFault =>
  new BackupFault(
    `The store is damaged, and no backup was written. ${findings.slice(0, namedMax).join("; ")}${
      findings.length > namedMax ? `; ${findings.length - namedMax} more` : ""
    }. See all: idem store verify. Keep your former backups, and write what is left with --despite-damage.`,
  );

/**
 * The statements and stored objects of a deployment on PostgreSQL, for a manifest beside the copies that the
 * server and the bucket make by their own means.
 */
export async function* readPostgres(
  config: Config & { readonly databaseUrl: string },
  deps: Pick<BackupDeps, "onObjects" | "now" | "despiteDamage">,
): AsyncGenerator<Entry> {
  const reads = openPostgresReads({ url: config.databaseUrl });
  try {
    yield* statements(reads, "postgresql", deps.now());
    yield* objectsOf(reads, reads, await openObjects(config), deps);
  } catch (error) {
    throw error instanceof BackupFault ? error : explainPostgres(error, config.databaseUrl);
  } finally {
    await reads.close();
  }
}

async function* statements(
  reads: BackupReads,
  store: "embedded" | "postgresql",
  at: Date,
): AsyncGenerator<Entry> {
  yield {
    kind: "statement",
    line: {
      type: "backup",
      format: 2,
      release: version,
      schema: await reads.schema(),
      store,
      at: at.getTime(),
      masterKeys: [...(await reads.masterKeyIds())],
    },
  };
  for (const head of await reads.heads()) yield { kind: "statement", line: { type: "chain", ...head } };
}

async function* objectsOf(
  copied: BackupReads,
  live: BackupReads,
  objects: Objects,
  { onObjects, despiteDamage }: Pick<BackupDeps, "onObjects" | "despiteDamage">,
): AsyncGenerator<Entry> {
  const { count } = await copied.countBlobs();
  const damaged: string[] = [];
  let done = 0;
  for await (const row of copied.blobs()) {
    const { entry, damage } = await objectEntry(row, live, objects);
    if (damage !== undefined) damaged.push(damage);
    // A refused backup is read to its end, so that all damage is named.
    if (despiteDamage || damaged.length === 0) yield entry;
    done += 1;
    onObjects(done, count);
  }
  if (damaged.length > 0 && !despiteDamage) {
    throw refusal(damaged);
  }
}

/** The entry of an object; `damage` names what is wrong with one that is there. */
const objectEntry = async (
  row: StatedObject,
  live: BackupReads,
  objects: Objects,
): Promise<{ readonly entry: Entry; readonly damage?: string }> => {
  const name = nameOfObject(row);
  const absent = (reason: LineOf<"absent">["reason"]) => ({
    entry: { kind: "statement" as const, line: { type: "absent" as const, name, reason } },
  });
  const bytes = await readObject({ objects, listBlobs: live.blobsAfter }, row);
  // Rows are removed first, then their objects.
  if (bytes === undefined) return absent((await live.hasBlob(row)) ? "missing" : "removed");
  const fault = await judgeObject(row, bytes);
  if (!(bytes instanceof Uint8Array) || fault !== undefined) {
    return { ...absent("damaged"), damage: `${name}: ${faultWords[fault ?? "unreadable"]}` };
  }
  return { entry: { kind: "file", file: { name, bytes: bytes.length, content: one(bytes) } } };
};

async function* one(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes;
}

/** As `openModelStore` names them. */
const modelFile = /^([0-9a-f]{64}\.(onnx|json)|selection\.json)$/;

/** The added models and the heads of the evidence chains. A model that is being fetched is left out. */
async function* filesOf(directory: string): AsyncGenerator<Entry> {
  const heads = join(directory, headFileName);
  if (existsSync(heads)) yield await fileEntry(headFileName, heads);
  const folder = join(directory, "models");
  if (!existsSync(folder)) return;
  const entries = await readdir(folder, { withFileTypes: true });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    if (entry.isFile() && modelFile.test(entry.name)) {
      yield await fileEntry(`models/${entry.name}`, join(folder, entry.name));
    }
  }
}

/** A file as long as it is now: what a service appends meanwhile is left out. */
const fileEntry = async (name: string, path: string): Promise<Entry> => {
  const { size } = await stat(path);
  const content = size === 0 ? none() : createReadStream(path, { end: size - 1 });
  return { kind: "file", file: { name, bytes: size, content } };
};

async function* none(): AsyncGenerator<Uint8Array> {}
