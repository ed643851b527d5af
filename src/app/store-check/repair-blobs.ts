/** Copies damaged objects back from a backup. */
import { join } from "node:path";
import type { Config } from "#machine/config/config";
import { type ArchivedFile, readArchive } from "#machine/storage/backup/archive";
import { BackupFault } from "#machine/storage/backup/backup-fault";
import { judgeObject } from "#machine/storage/judge-object";
import { type ObjectName, type Objects, objectBytesMax } from "#machine/storage/objects";
import { readObject } from "#machine/storage/read-object";
import { findPlace, nameOfObject } from "../backup-names.ts";
import { openObjects } from "../open-objects.ts";
import { explainFile, explainPostgres, storeFile } from "../storage-errors.ts";
import { openPostgresStore, openSqliteStoreToRead } from "../store.ts";

export type RepairReport = {
  /** Objects of the backup whose row is still there. */
  readonly compared: number;
  /** Names of the objects that were copied back. */
  readonly repaired: readonly string[];
  /**
   * Damaged, and the backup does not hold them as their rows state them: it is older, or damaged itself. Or
   * their place on the disk takes no object.
   */
  readonly notRepaired: readonly string[];
};

/**
 * Reads a backup, and writes each object that the deployment has lost or that was changed, if the backup
 * holds it as the row states it: by length and hash, so that a forged backup changes nothing. A service may
 * run: an object appears whole, and rows are not changed. Rows of an earlier release without a hash are left
 * alone.
 */
export const repairBlobs = async (
  config: Config,
  plain: AsyncIterable<Uint8Array>,
  onBytes: (bytes: number) => void,
): Promise<RepairReport> => {
  const { store, close } = await openRows(config);
  try {
    const objects = await openObjects(config);
    let compared = 0;
    const repaired: string[] = [];
    const notRepaired: string[] = [];
    const repairOne = async (name: ObjectName, file: ArchivedFile): Promise<void> => {
      const row = await store.findBlob(name);
      const isSound =
        row === undefined ||
        (await judgeObject(row, await readObject({ objects, listBlobs: store.listBlobs }, row))) ===
          undefined;
      if (row !== undefined) compared += 1;
      if (row === undefined || isSound) return await drain(file, onBytes);
      const bytes = await collect(file, onBytes);
      const isRight = row.sha256 !== undefined && (await judgeObject(row, bytes)) === undefined;
      const isWritten = isRight && (await replaceObject(objects, name, bytes));
      (isWritten ? repaired : notRepaired).push(nameOfObject(name));
    };
    await readArchive(plain, {
      statement: () => undefined,
      file: async (file) => {
        const place = findPlace(file.name);
        return await (place?.kind === "object" ? repairOne(place.name, file) : drain(file, onBytes));
      },
    });
    return { compared, repaired, notRepaired };
  } finally {
    await close();
  }
};

/**
 * False where its own place takes no object, such as under a folder that is damaged. Fails where disk or
 * bucket do not answer.
 */
const replaceObject = async (objects: Objects, name: ObjectName, bytes: Uint8Array): Promise<boolean> => {
  try {
    await objects.write(name, bytes);
    return true;
  } catch {
    await objects.ping();
    return false;
  }
};

const openRows = async (config: Config) => {
  const { databaseUrl: url } = config;
  if (url !== undefined) {
    const store = await openPostgresStore({ url }).catch((error: unknown) => {
      throw explainPostgres(error, url);
    });
    return { store, close: store.close };
  }
  const file = join(config.dataDirectory, storeFile);
  return await openSqliteStoreToRead(file).catch((error: unknown) => {
    throw explainFile(error, file);
  });
};

const drain = async ({ content }: ArchivedFile, onBytes: (bytes: number) => void): Promise<void> => {
  for await (const piece of content) onBytes(piece.length);
};

const collect = async (
  { name, bytes, content }: ArchivedFile,
  onBytes: (bytes: number) => void,
): Promise<Uint8Array> => {
  if (bytes > objectBytesMax) {
    throw new BackupFault(`${name} has ${bytes} bytes, more than the ${objectBytesMax} of any object.`);
  }
  const pieces: Uint8Array[] = [];
  for await (const piece of content) {
    onBytes(piece.length);
    pieces.push(piece);
  }
  return new Uint8Array(Buffer.concat(pieces));
};
