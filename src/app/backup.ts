/** The contents of a backup, and their way back: store, stored objects, added models and evidence heads. */
import { createReadStream, existsSync } from "node:fs";
import { readdir, stat } from "node:fs/promises";
import { join } from "node:path";
import type { Entry } from "#backup/archive";
import { BackupFault } from "#backup/backup-fault";
import type { Config } from "#config/config";
import { type BackupReads, copySqlite, openPostgresReads, openSqliteReads } from "#storage/backup-reads";
import type { ObjectName, Objects } from "#storage/objects";
import { headFileName } from "#transactions/head-file";
import { version } from "#version";
import { nameOfObject } from "./backup-names.ts";
import { openObjects } from "./storage.ts";
import { explainFile, explainPostgres, storeFile } from "./storage-errors.ts";

/** Reports the stored objects that are done, of all. */
export type CountObjects = (done: number, total: number) => void;

export type BackupDeps = {
  /** A file for the copy of the embedded store. The caller removes it. */
  readonly copy: string;
  readonly onCopy: (share: number) => void;
  readonly onObjects: CountObjects;
  readonly now: () => Date;
};

/**
 * The entries of a backup of an embedded deployment, while a service runs on it: the copy of its store at one commit, then
 * every object that this copy names. An object is durable before its row, and so it is there unless it was removed since.
 */
export async function* readEmbedded(config: Config, deps: BackupDeps): AsyncGenerator<Entry> {
  const path = join(config.dataDirectory, storeFile);
  if (!existsSync(path))
    throw new BackupFault(`Nothing is stored in ${config.dataDirectory}: is IDEM_DATA right?`);
  await copySqlite(path, deps.copy, deps.onCopy).catch((error: unknown) => {
    throw explainFile(error, path);
  });
  const copied = openSqliteReads(deps.copy);
  const live = openSqliteReads(path);
  try {
    yield* statements(copied, "embedded", deps.now());
    yield await fileEntry(storeFile, deps.copy);
    yield* objectsOf(copied, live, await openObjects(config), deps.onObjects);
    yield* filesOf(config.dataDirectory);
  } finally {
    await copied.close();
    await live.close();
  }
}

/**
 * The statements and stored objects of a deployment on PostgreSQL, for a manifest beside the copies that the server and the
 * bucket make by their own means.
 */
export async function* readPostgres(
  config: Config & { readonly databaseUrl: string },
  { onObjects, now }: Pick<BackupDeps, "onObjects" | "now">,
): AsyncGenerator<Entry> {
  const reads = openPostgresReads({ url: config.databaseUrl });
  try {
    yield* statements(reads, "postgresql", now());
    yield* objectsOf(reads, reads, await openObjects(config), onObjects);
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
  onObjects: CountObjects,
): AsyncGenerator<Entry> {
  const { count } = await copied.countBlobs();
  let done = 0;
  for await (const name of copied.blobs()) {
    yield await objectEntry(name, live, objects);
    done += 1;
    onObjects(done, count);
  }
}

const objectEntry = async (name: ObjectName, live: BackupReads, objects: Objects): Promise<Entry> => {
  const bytes = await objects.read(name);
  if (bytes === undefined) {
    // Rows are removed first, then their objects.
    const reason = (await live.hasBlob(name)) ? "missing" : "removed";
    return { kind: "statement", line: { type: "absent", name: nameOfObject(name), reason } };
  }
  return { kind: "file", file: { name: nameOfObject(name), bytes: bytes.length, content: one(bytes) } };
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
