/**
 * Damages a copy of a data directory, as disks and hands do. Seeded: the same seed damages the same bytes.
 */
import { createHash } from "node:crypto";
import { cp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import Database from "better-sqlite3";
import { seededRandom } from "#contract/statistics/random";

/** Kinds of damage of a stored object. */
const blobDamageKinds = ["blob flipped", "blob swapped", "blob emptied", "blob cut", "blob removed"] as const;

/** Kinds of damage of the file of the database. */
const fileDamageKinds = ["database flipped", "database page zeroed"] as const;

/** Kinds of damage that the harness makes. */
export const damageKinds = [...blobDamageKinds, ...fileDamageKinds] as const;

type BlobDamageKind = (typeof blobDamageKinds)[number];
type FileDamageKind = (typeof fileDamageKinds)[number];
export type DamageKind = (typeof damageKinds)[number];

const isOfFile = (kind: DamageKind): kind is FileDamageKind => kind.startsWith("database");

/** Whole numbers from 0 to below `limit`. */
export type Draw = (limit: number) => number;

export const drawFrom = (seed: number): Draw => {
  const random = seededRandom(seed);
  return (limit) => Math.floor(random() * limit);
};

const storeOf = (directory: string): string => join(directory, "idem.sqlite");

/** A copy of a data directory whose log is in the file: the damage is then in what is read. */
export const copyDirectory = async (from: string, to: string): Promise<void> => {
  await rm(to, { recursive: true, force: true });
  await cp(from, to, { recursive: true });
  const sqlite = new Database(storeOf(to));
  sqlite.pragma("wal_checkpoint(TRUNCATE)");
  sqlite.close();
};

/** The files of the stored objects that rows name. */
const blobFiles = async (directory: string): Promise<readonly string[]> => {
  const sqlite = new Database(storeOf(directory), { readonly: true });
  const ids = sqlite.prepare<[], { id: string }>("select id from blobs").all();
  sqlite.close();
  const known = new Set(ids.map(({ id }) => id));
  const entries = await readdir(join(directory, "blobs"), { recursive: true, withFileTypes: true });
  return entries
    .filter((entry) => entry.isFile() && known.has(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted();
};

/**
 * Damages a data directory in place. Returns what was damaged, in words; undefined where the change met bytes
 * that hold nothing, so that the content is as before.
 */
export const damage = async (directory: string, kind: DamageKind, draw: Draw): Promise<string | undefined> =>
  isOfFile(kind)
    ? await damageDatabase(directory, kind, draw)
    : await damageBlob(await blobFiles(directory), kind, draw);

const damageBlob = async (files: readonly string[], kind: BlobDamageKind, draw: Draw): Promise<string> => {
  const at = draw(files.length);
  const file = files[at]!;
  const bytes = await readFile(file);
  switch (kind) {
    case "blob flipped": {
      const place = draw(bytes.length);
      bytes[place]! ^= 1 << draw(8);
      await writeFile(file, bytes);
      return `${file}, byte ${place}`;
    }
    case "blob swapped": {
      const other = files[(at + 1 + draw(files.length - 1)) % files.length]!;
      await writeFile(file, await readFile(other));
      return `${file} has the bytes of ${other}`;
    }
    case "blob emptied":
      await writeFile(file, new Uint8Array());
      return `${file} emptied`;
    case "blob cut":
      await writeFile(file, bytes.subarray(0, draw(bytes.length - 1) + 1));
      return `${file} cut`;
    case "blob removed":
      await rm(file);
  }
  return `${file} removed`;
};

const damageDatabase = async (
  directory: string,
  kind: FileDamageKind,
  draw: Draw,
): Promise<string | undefined> => {
  const file = storeOf(directory);
  const before = contentOf(file);
  const bytes = await readFile(file);
  const pageBytes = bytes.readUInt16BE(16);
  const page = draw(bytes.length / pageBytes);
  const place = page * pageBytes + draw(pageBytes);
  if (kind === "database flipped") bytes[place]! ^= 1 << draw(8);
  else bytes.fill(0, page * pageBytes, (page + 1) * pageBytes);
  await writeFile(file, bytes);
  const words = kind === "database flipped" ? `byte ${place}` : `page ${page + 1}`;
  return contentOf(file) === before ? undefined : words;
};

/** A hash over every row, every definition, and every index entry; another text where one cannot be read. */
const contentOf = (file: string): string => {
  const sum = createHash("sha256");
  let sqlite: Database.Database | undefined;
  try {
    sqlite = new Database(file, { readonly: true });
    const tables = sqlite
      .prepare<[], { name: string; sql: string }>("select name, sql from sqlite_schema where type = 'table'")
      .all();
    sum.update(JSON.stringify(sqlite.prepare("select type, name, tbl_name, sql from sqlite_schema").all()));
    for (const { name } of tables) {
      for (const row of sqlite.prepare(`select * from "${name}" not indexed`).raw().iterate()) {
        sum.update(
          JSON.stringify(row, (_, value: unknown) =>
            Buffer.isBuffer(value) ? value.toString("hex") : value,
          ),
        );
      }
    }
  } catch (error) {
    sum.update(String(error));
  } finally {
    sqlite?.close();
  }
  return sum.digest("hex");
};
