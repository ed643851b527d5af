import { constants } from "node:fs";
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { requireSpace } from "./disk-space.ts";
import {
  checkObjectLength,
  checkObjectName,
  isObjectName,
  type ObjectName,
  type Objects,
} from "./objects.ts";
import { isOutage, onDisk, unavailable } from "./outage.ts";

/** Suffix of unfinished files; a crash leaves them, and the sweeper removes them. */
const unfinished = ".part";

/**
 * Objects as files `<root>/<tenant>/<two hex>/<id>`, mode 0600 in directories of mode 0700. A file appears
 * complete or not at all: it is written under another name, flushed, renamed, and then its directory is
 * flushed.
 */
export const makeDiskObjects = (root: string): Objects => {
  const flushed = new Set<string>();
  return {
    write: (name, bytes) =>
      onDisk(async () => {
        const path = pathOf(root, name);
        await makeDirectory(dirname(path), flushed);
        await writeFlushed(`${path}${unfinished}`, bytes);
        await takeName(`${path}${unfinished}`, path);
        await flushDirectory(dirname(path));
      }),
    ping: () => onDisk(() => probe(root)),
    ...makeReading(root),
  };
};

/** Opening a pipe must not wait for its other end. */
const readNow = constants.O_RDONLY | constants.O_NONBLOCK;

/** An empty folder in the place of an object gives way; one with content is left, and the write fails. */
const takeName = async (from: string, to: string): Promise<void> => {
  if (await isFolder(to)) await rmdir(to);
  await rename(from, to);
};

const isFolder = async (path: string): Promise<boolean> => {
  try {
    return (await lstat(path)).isDirectory();
  } catch {
    // Missing, or damaged: the renaming tells.
    return false;
  }
};

/**
 * Writes a byte and removes it: no weaker check detects a full or read-only disk. No tenant has such a name.
 */
const probe = async (root: string): Promise<void> => {
  await mkdir(root, { recursive: true, mode: 0o700 });
  await requireSpace(root);
  const path = join(root, `.probe-${process.pid}`);
  await writeFile(path, "0", { mode: 0o600 });
  await rm(path, { force: true });
};

const makeReading = (root: string): Pick<Objects, "read" | "remove" | "list"> => ({
  read: (name) =>
    onDisk(async () => {
      try {
        return await withFile(pathOf(root, name), readNow, async (file) => {
          const found = await file.stat();
          // A pipe or device in the place of an object would be read without end.
          if (!found.isFile()) throw Object.assign(new Error("No file stands there"), { code: "EISDIR" });
          checkObjectLength(found.size);
          return new Uint8Array(await file.readFile());
        });
      } catch (error) {
        return isMissing(error) ? undefined : await Promise.reject(error);
      }
    }),
  remove: (name) =>
    onDisk(async () => {
      const path = pathOf(root, name);
      await rm(path, { force: true, recursive: true });
      await rm(`${path}${unfinished}`, { force: true });
      try {
        await flushDirectory(dirname(path));
      } catch (error) {
        await (isMissing(error) ? undefined : Promise.reject(error));
      }
    }),
  list: () => listFiles(root),
});

// Two hex digits of a random id spread the files over 256 directories, so no directory is slow to list.
const pathOf = (root: string, name: ObjectName): string => {
  const { tenantId, id } = checkObjectName(name);
  return join(root, tenantId, id.slice(0, 2), id);
};

/**
 * Creates `<root>/<tenant>/<two hex>`. A power loss removes a new directory until its parent is flushed.
 * Another call may have created the directory without flushing it yet, so each is flushed once in the life of
 * the process.
 */
const makeDirectory = async (directory: string, flushed: Set<string>): Promise<void> => {
  if (flushed.has(directory)) {
    return;
  }
  await mkdir(directory, { recursive: true, mode: 0o700 });
  const tenant = dirname(directory);
  const root = dirname(tenant);
  for (const parent of [tenant, root, dirname(root)]) {
    await flushDirectory(parent);
  }
  flushed.add(directory);
};

const writeFlushed = async (path: string, bytes: Uint8Array): Promise<void> =>
  withFile(path, "w", async (file) => {
    await file.writeFile(bytes);
    await file.datasync();
  });

const flushDirectory = async (path: string): Promise<void> =>
  withFile(path, "r", (directory) => directory.sync());

const withFile = async <Result>(
  path: string,
  flags: string | number,
  use: (file: FileHandle) => Promise<Result>,
): Promise<Result> => {
  const file = await open(path, flags, 0o600);
  try {
    return await use(file);
  } finally {
    await file.close();
  }
};

/** Fails at its end where a folder or file on its way could not be looked at: the others are listed first. */
const listFiles = async function* (root: string): AsyncGenerator<ObjectName & { readonly writtenAt: Date }> {
  const failed: unknown[] = [];
  const orElse = async <Found>(otherwise: Found, look: Promise<Found>): Promise<Found> =>
    await look.catch((error: unknown) => {
      if (failed.length === 0) failed.push(error);
      return otherwise;
    });
  for (const tenantId of await orElse([], namesIn(root))) {
    for (const part of await orElse([], namesIn(join(root, tenantId)))) {
      for (const file of await orElse([], namesIn(join(root, tenantId, part)))) {
        const name = { tenantId, id: file.replace(unfinished, "") };
        const writtenAt = await orElse(undefined, writeTime(join(root, tenantId, part, file)));
        if (isObjectName(name) && writtenAt !== undefined) {
          yield { ...name, writtenAt };
        }
      }
    }
  }
  for (const error of failed) throw isOutage(error) ? unavailable(error) : error;
};

const namesIn = async (directory: string): Promise<readonly string[]> => {
  try {
    return await readdir(directory);
  } catch (error) {
    return isMissing(error) ? [] : await Promise.reject(error);
  }
};

/** Undefined if the file was removed after the listing, and for what is no file. */
const writeTime = async (path: string): Promise<Date | undefined> => {
  try {
    const found = await lstat(path);
    return found.isFile() ? found.mtime : undefined;
  } catch (error) {
    return isMissing(error) ? undefined : await Promise.reject(error);
  }
};

const isMissing = (error: unknown): boolean =>
  error instanceof Error && "code" in error && (error.code === "ENOENT" || error.code === "ENOTDIR");
