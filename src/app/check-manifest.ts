/** Compares a deployment, such as one that was restored, with the manifest of its backup. */
import { createHash } from "node:crypto";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { join } from "node:path";
import type { Config } from "#machine/config/config";
import { BackupFault } from "#machine/storage/backup/backup-fault";
import { makeByteReader } from "#machine/storage/backup/byte-reader";
import {
  isSameEnd,
  type LineOf,
  lineBytesMax,
  type ManifestLine,
  makeTotals,
  readManifestLine,
} from "#machine/storage/backup/manifest";
import { type BackupReads, openPostgresReads, openSqliteReads } from "#machine/storage/backup-reads";
import { faultWords } from "#machine/storage/judge-object";
import type { Objects } from "#machine/storage/objects";
import { readObject } from "#machine/storage/read-object";
import { findPlace } from "./backup-names.ts";
import { openObjects } from "./open-objects.ts";
import { explainFile, explainPostgres, storeFile } from "./storage-errors.ts";

/** The comparison of a deployment with a manifest. */
export type ManifestReport = {
  readonly chains: number;
  readonly objects: number;
  /** Listed objects whose row was removed since. */
  readonly removed: number;
  /** One sentence each. */
  readonly differences: readonly string[];
};

/**
 * Every chain must hold its stated end, and every listed object must be there with its hash, unless its row
 * was removed since. Throws BackupFault for a manifest that is cut off or was changed.
 */
export const compareWithManifest = async (
  config: Config,
  file: string,
  onProgress: (done: number, total: number) => void,
): Promise<ManifestReport> => {
  const reads = openReads(config);
  const objects = await openObjects(config);
  const counts = { chains: 0, objects: 0, removed: 0 };
  const differences: string[] = [];
  const take = async (line: ManifestLine): Promise<void> => {
    if (line.type === "chain") {
      counts.chains += 1;
      differences.push(...(await compareChain(reads, line)));
    }
    if (line.type === "file") {
      const found = await compareObject(reads, objects, line);
      if (found === undefined) return;
      counts.objects += 1;
      if (found === "removed") counts.removed += 1;
      else differences.push(...found);
    }
  };
  try {
    await readManifest(file, take, onProgress);
    return { ...counts, differences };
  } catch (error) {
    if (error instanceof BackupFault) throw error;
    throw config.databaseUrl === undefined
      ? explainFile(error, join(config.dataDirectory, storeFile))
      : explainPostgres(error, config.databaseUrl);
  } finally {
    await reads.close();
  }
};

const openReads = (config: Config): BackupReads =>
  config.databaseUrl === undefined
    ? openSqliteReads(join(config.dataDirectory, storeFile))
    : openPostgresReads({ url: config.databaseUrl });

const compareChain = async (reads: BackupReads, { tenantId, seq, hash }: LineOf<"chain">) =>
  (await reads.hashAt(tenantId, seq)) === hash
    ? []
    : [
        `The evidence chain of tenant ${tenantId} does not hold its entry ${seq}: answers were lost, or another store is here.`,
      ];

/** Undefined for a file that is no stored object. */
const compareObject = async (
  reads: BackupReads,
  objects: Objects,
  { name, sha256 }: LineOf<"file">,
): Promise<"removed" | readonly string[] | undefined> => {
  const place = findPlace(name);
  if (place?.kind !== "object") return undefined;
  const bytes = await readObject({ objects, listBlobs: reads.blobsAfter }, place.name);
  if (bytes === "unreadable") return [`${name} ${faultWords.unreadable}.`];
  if (bytes === "too long") return [`${name} is longer than any object may be.`];
  if (bytes !== undefined) {
    const found = createHash("sha256").update(bytes).digest("hex");
    return found === sha256
      ? []
      : [`${name} was changed: its SHA-256 is ${found}, the manifest states ${sha256}.`];
  }
  return (await reads.hasBlob(place.name)) ? [`${name} is missing, and the store names it.`] : "removed";
};

const readManifest = async (
  file: string,
  take: (line: ManifestLine) => Promise<void>,
  onProgress: (done: number, total: number) => void,
): Promise<void> => {
  const fail = (finding: string): BackupFault =>
    new BackupFault(`The manifest ${file} ${finding}. Use another copy.`);
  const { size } = await stat(file).catch(() => {
    throw fail("cannot be read");
  });
  const reader = makeByteReader(createReadStream(file));
  const totals = makeTotals();
  for (let done = 0; ; ) {
    const text = await reader.takeLine(lineBytesMax);
    const line = text && readManifestLine(text.toString("utf8"));
    if (text === undefined || line === undefined)
      throw fail("is cut off, or holds another line than a manifest has");
    if (line.type === "end") {
      if (!isSameEnd(totals.end(), line)) throw fail("was changed: its lines are not those of its end");
      return;
    }
    if (line.type === "file") totals.take({ ...line, sha256: line.sha256 ?? "" });
    if (line.type === "absent") totals.takeAbsent(line.reason);
    await take(line);
    done += text.length + 1;
    onProgress(done, size);
  }
};
