import { mkdir, readFile, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import Database from "better-sqlite3";

/** The folder of one running service. `release` lets another process in; the end of the process does so too. */
export type DataDirectory = { readonly path: string; readonly release: () => void };

/**
 * Opens (or creates, mode 0700) the folder that holds everything of an embedded deployment, for this process alone.
 * Throws, with the way out, when others can look into it, when another user owns it, or when a process has it open.
 */
export const openDataDirectory = async (path: string): Promise<DataDirectory> => {
  const directory = await prepareDirectory(path);
  const pidFile = join(directory, "lock.pid");
  const lock = takeLock(join(directory, "lock.sqlite"));
  if (lock === undefined) {
    throw new Error(
      `The data directory ${directory} is in use by process ${await holderOf(pidFile)}. Stop it first.`,
    );
  }
  await writeFile(pidFile, `${process.pid}\n`, { mode: 0o600 });
  return { path: directory, release: () => lock.close() };
};

/** Makes the folder where it is missing and refuses one that others can look into; several processes may share it. */
export const prepareDirectory = async (path: string): Promise<string> => {
  const directory = resolve(path);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await checkOwner(directory);
  return directory;
};

/** Throws, with the way out, for a folder that others can look into or that another user owns. */
export const checkOwner = async (directory: string): Promise<void> => {
  const { mode, uid } = await stat(directory);
  const own = process.getuid?.();
  if (own !== undefined && uid !== own) {
    throw new Error(
      `The data directory ${directory} belongs to user ${uid}, this process runs as user ${own}. Run: chown -R ${own} ${directory}`,
    );
  }
  // Windows has no such modes; there the folder's own rights decide.
  if (own !== undefined && (mode & 0o077) !== 0) {
    throw new Error(`Others can look into the data directory ${directory}. Run: chmod 700 ${directory}`);
  }
};

/**
 * The lock is the operating system's, held through an open transaction, and so ends with the process, even by
 * SIGKILL; a file that merely says "locked" would outlive it. Undefined when another process holds it.
 */
const takeLock = (path: string): Database.Database | undefined => {
  const lock = new Database(path, { timeout: 0 });
  try {
    lock.exec("begin exclusive");
    return lock;
  } catch (error) {
    lock.close();
    if (error instanceof Database.SqliteError && error.code === "SQLITE_BUSY") {
      return undefined;
    }
    throw error;
  }
};

/** The process that has the folder open, as text; undefined when none has. Changes nothing. */
export const findHolder = async (path: string): Promise<string | undefined> => {
  const file = join(path, "lock.sqlite");
  try {
    const lock = new Database(file, { readonly: true, fileMustExist: true, timeout: 0 });
    try {
      // Reads the file: refused while another process holds it for itself.
      lock.pragma("schema_version");
      return undefined;
    } finally {
      lock.close();
    }
  } catch (error) {
    const isHeld = error instanceof Database.SqliteError && error.code === "SQLITE_BUSY";
    return isHeld ? await holderOf(join(path, "lock.pid")) : undefined;
  }
};

const holderOf = async (pidFile: string): Promise<string> => {
  try {
    return (await readFile(pidFile, "utf8")).trim() || "(starting)";
  } catch {
    // Between its lock and its number; the lock alone decides.
    return "(starting)";
  }
};
