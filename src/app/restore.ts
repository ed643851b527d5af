/** Reads a backup: to restore it into a data directory, or only to check it. */
import { createHash } from "node:crypto";
import { mkdir, open, rename } from "node:fs/promises";
import { dirname, join } from "node:path";
import { type ArchivedFile, type ArchiveVisitor, readArchive } from "#machine/storage/backup/archive";
import { BackupFault } from "#machine/storage/backup/backup-fault";
import type { LineOf } from "#machine/storage/backup/manifest";
import { type BackupTrust, requireSignature } from "#machine/storage/backup/signature";
import { type BackupReads, type ChainEnd, openSqliteReads } from "#machine/storage/backup-reads";
import type { StatedObject } from "#machine/storage/blob-store";
import { createPrivate } from "#machine/storage/data-directory";
import { makeDiskObjects } from "#machine/storage/disk-objects";
import { type ObjectName, objectBytesMax } from "#machine/storage/objects";
import { sealedLengthOf } from "#machine/storage/sealed-box";
import { findPlace, nameOfObject } from "./backup-names.ts";
import { storeFile } from "./storage-errors.ts";

/** What a backup holds that was read to its end. */
export type BackupReport = LineOf<"end"> &
  Pick<LineOf<"backup">, "release" | "schema" | "at" | "masterKeys"> & {
    /** Faults of the store that the backup states. The backup was made although the store had them. */
    readonly damage: readonly Pick<LineOf<"damage">, "place" | "fault" | "lasting">[];
    /** The public key that signed it; absent for a backup without a signature, which was taken on request. */
    readonly signer?: string;
  };

/** Where the parts of a backup go. */
export type RestoreTarget = {
  /** The file for the store. */
  readonly store: string;
  readonly object: (name: ObjectName, file: ArchivedFile) => Promise<void>;
  readonly file: (path: string, file: ArchivedFile) => Promise<void>;
  /** A backup that states damage is read all the same; by default it is refused. */
  readonly despiteDamage?: boolean;
};

/**
 * Reads a backup to its end and compares it: its signature, each hash, the file of the store by SQLite's own
 * check, the chains with their stated ends, and the objects with the rows that name them. Throws BackupFault
 * with the first difference.
 */
export const readBackup = async (
  plain: AsyncIterable<Uint8Array>,
  target: RestoreTarget,
  { trust, onBytes }: { readonly trust: BackupTrust; readonly onBytes: (bytes: number) => void },
): Promise<BackupReport> => {
  const checks = makeChecks(target.despiteDamage ?? false);
  try {
    const { end, signature, digest } = await readArchive(plain, visitorOf(target, checks, onBytes));
    requireSignature(signature, digest, trust);
    const { release, schema, at, masterKeys, damage } = await checks.finish();
    return { ...end, release, schema, at, masterKeys, damage, ...(signature && { signer: signature.key }) };
  } finally {
    await checks.close();
  }
};

const visitorOf = (
  target: RestoreTarget,
  checks: ReturnType<typeof makeChecks>,
  onBytes: (bytes: number) => void,
): ArchiveVisitor => ({
  statement: checks.statement,
  file: async (file) => {
    const counted = { ...file, content: counting(file.content, onBytes) };
    const place = findPlace(file.name);
    switch (place?.kind) {
      case "store":
        await writeFlushed(target.store, counted.content);
        return await checks.openStore(target.store);
      case "object":
        if (file.bytes > objectBytesMax) {
          throw new BackupFault(
            `${file.name} has ${file.bytes} bytes, more than the ${objectBytesMax} of any object.`,
          );
        }
        return await checkedObject(counted, await checks.object(file.name), (checked) =>
          target.object(place.name, checked),
        );
      case "file":
        return await target.file(place.path, counted);
      case undefined:
        throw new BackupFault(`The backup holds a file that no backup has: ${JSON.stringify(file.name)}.`);
    }
  },
});

/** Hands an object on, and compares it with the row of the backup's store when all of it was read. */
const checkedObject = async (
  file: ArchivedFile,
  { bytes, sha256 }: StatedObject,
  take: (file: ArchivedFile) => Promise<void>,
): Promise<void> => {
  const sum = createHash("sha256");
  async function* hashed(): AsyncGenerator<Uint8Array> {
    for await (const piece of file.content) {
      sum.update(piece);
      yield piece;
    }
  }
  await take({ ...file, content: hashed() });
  const isSame = sha256 === undefined || sum.digest("hex") === sha256;
  if (isSame && file.bytes === sealedLengthOf(bytes)) return;
  throw new BackupFault(
    `The backup holds ${file.name} with other bytes than its store states: it was made of a damaged store. Use an earlier backup.`,
  );
};

async function* counting(
  content: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): AsyncGenerator<Uint8Array> {
  for await (const piece of content) {
    onBytes(piece.length);
    yield piece;
  }
}

/** Compares the parts of a backup while they come. */
const makeChecks = (despiteDamage: boolean) => {
  const heads: ChainEnd[] = [];
  const damage: LineOf<"damage">[] = [];
  let head: LineOf<"backup"> | undefined;
  let opened:
    | { readonly reads: BackupReads; readonly rows: AsyncGenerator<StatedObject, undefined> }
    | undefined;

  const next = async (found: string | undefined): Promise<StatedObject | undefined> => {
    if (opened === undefined) throw new BackupFault("The backup holds objects before their store.");
    const { value } = await opened.rows.next();
    const wanted = value === undefined ? undefined : nameOfObject(value);
    if (found === wanted) return value;
    throw new BackupFault(
      found === undefined
        ? `The backup lacks ${wanted}, which its store names.`
        : `The backup holds ${found} where its store names ${wanted ?? "no further object"}.`,
    );
  };
  return {
    statement: async (line: LineOf<"backup" | "chain" | "absent" | "damage">): Promise<void> => {
      if (line.type === "backup") head = line;
      if (line.type === "chain") heads.push(line);
      if (line.type === "damage") damage.push(line);
      if (line.type === "absent") await next(line.name);
    },
    openStore: async (path: string): Promise<void> => {
      if (opened !== undefined) throw new BackupFault("The backup holds two stores.");
      const reads = openSqliteReads(path);
      opened = { reads, rows: reads.blobs() };
      const refused = damage.filter(({ lasting }) => lasting === undefined);
      if (!despiteDamage) refuseStated(refused);
      const fault = refused.length === 0 ? reads.findFault() : undefined;
      if (fault !== undefined) throw new BackupFault(`The store in the backup is damaged: ${fault}.`);
      await compareHeads(reads, heads);
    },
    object: async (found: string): Promise<StatedObject> => {
      const row = await next(found);
      if (row === undefined) throw new Error("The store names an object without a row");
      return row;
    },
    finish: async () => {
      await next(undefined);
      if (head === undefined) throw new BackupFault("The backup does not state what made it.");
      return { ...head, damage };
    },
    close: async (): Promise<void> => await opened?.reads.close(),
  };
};

/** Refuses a backup that states damage of its store which an earlier backup may not have. */
const refuseStated = (damage: readonly LineOf<"damage">[]): void => {
  const [stated] = damage;
  if (stated === undefined) return;
  throw new BackupFault(
    `The backup was made of a damaged store, and states ${damage.length} faults (${stated.place}: ${stated.fault}). Use an earlier backup, or take it as it is with --despite-damage.`,
  );
};

const compareHeads = async (reads: BackupReads, heads: readonly ChainEnd[]): Promise<void> => {
  for (const { tenantId, seq, hash } of heads) {
    if ((await reads.hashAt(tenantId, seq)) !== hash) {
      throw new BackupFault(
        `The evidence chain of tenant ${tenantId} does not hold the entry ${seq} that the backup states.`,
      );
    }
  }
};

/** The target of a check. The store goes to a temporary file, and everything else is discarded. */
export const checkTarget = (store: string): RestoreTarget => ({
  store,
  object: async (_, { content }) => await drain(content),
  file: async (_, { content }) => await drain(content),
});

const drain = async (content: AsyncIterable<Uint8Array>): Promise<void> => {
  for await (const _ of content);
};

/** The store has this name until the backup was read to its end. */
const unfinishedStore = `${storeFile}.part`;

/**
 * The target of a restore: an empty data directory. {@link finishRestore} gives the store its name at the
 * end.
 */
export const directoryTarget = (directory: string): RestoreTarget => {
  const objects = makeDiskObjects(join(directory, "blobs"));
  return {
    store: join(directory, unfinishedStore),
    object: async (name, { content }) => {
      const pieces: Uint8Array[] = [];
      for await (const piece of content) pieces.push(piece);
      await objects.write(name, Buffer.concat(pieces));
    },
    file: async (path, { content }) => {
      await mkdir(dirname(join(directory, path)), { recursive: true, mode: 0o700 });
      await writeFlushed(join(directory, path), content);
    },
  };
};

/** Gives the restored store its name, durably. */
export const finishRestore = async (directory: string): Promise<void> => {
  await rename(join(directory, unfinishedStore), join(directory, storeFile));
  await flushDirectory(directory);
};

const writeFlushed = async (path: string, content: AsyncIterable<Uint8Array>): Promise<void> => {
  await createPrivate(path);
  const handle = await open(path, "w", 0o600);
  try {
    for await (const piece of content) await handle.appendFile(piece);
    await handle.sync();
  } finally {
    await handle.close();
  }
  await flushDirectory(dirname(path));
};

const flushDirectory = async (path: string): Promise<void> => {
  const handle = await open(path, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};
