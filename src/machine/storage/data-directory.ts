import { existsSync } from "node:fs";
import { chmod, mkdir, open, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import Database from "better-sqlite3";

/**
 * The folder of one running service. `release` frees it for another process; so does the end of the process.
 */
export type DataDirectory = { readonly path: string; readonly release: () => void };

/**
 * Another process has the data directory open. `fact` is its message without the remedy: a command may have
 * another one.
 */
export class DirectoryInUse extends Error {
  override readonly name = "DirectoryInUse";
  readonly fact: string;
  /** The id of that process, as text. */
  readonly holder: string;

  constructor(directory: string, holder: string) {
    const fact = `The data directory ${directory} is in use by process ${holder}`;
    super(`${fact}: stop it first.`);
    this.fact = fact;
    this.holder = holder;
  }
}

/** How long to wait for a process that has the data directory open, and who is informed of it, once. */
export type HolderWait = {
  readonly ms: number;
  readonly onHeld: (holder: string) => void;
  /** Ends the wait early. */
  readonly signal?: AbortSignal;
};

const pollMs = 100;

/**
 * Repeats the work while it throws DirectoryInUse, until the time is over. Throws the last error then. The
 * lock is asked for again, not waited for: a process that is killed frees it without a signal.
 */
export const whileHeld = async <Result>(
  work: () => Promise<Result>,
  { ms, onHeld, signal }: HolderWait,
): Promise<Result> => {
  const end = performance.now() + ms;
  for (let isReported = false; ; isReported = true) {
    try {
      return await work();
    } catch (error) {
      const isOver = performance.now() >= end || signal?.aborted === true;
      if (!(error instanceof DirectoryInUse) || isOver) throw error;
      if (!isReported) onHeld(error.holder);
    }
    await sleep(pollMs);
  }
};

/**
 * Opens (or creates, mode 0700) the folder with all data of an embedded deployment, for this process alone.
 * Takes the rights of others from the files in it. Throws, with the remedy, if other users can read it, if
 * another user owns it, and DirectoryInUse if a process has it open.
 */
export const openDataDirectory = async (path: string): Promise<DataDirectory> => {
  const directory = await prepareDirectory(path);
  const pidFile = join(directory, "lock.pid");
  const lockFile = join(directory, "lock.sqlite");
  await createPrivate(lockFile);
  const lock = takeLock(lockFile);
  if (lock === undefined) {
    throw new DirectoryInUse(directory, await holderOf(pidFile));
  }
  await writeFile(pidFile, `${process.pid}\n`, { mode: 0o600 });
  await closeToOthers(directory);
  return { path: directory, release: () => lock.close() };
};

/**
 * Creates the folder if it is missing and refuses a folder that other users can read; several processes may
 * share it.
 */
export const prepareDirectory = async (path: string): Promise<string> => {
  const directory = resolve(path);
  await mkdir(directory, { recursive: true, mode: 0o700 });
  await checkOwner(directory);
  return directory;
};

/** Throws, with the remedy, for a folder that other users can read or that another user owns. */
export const checkOwner = async (directory: string): Promise<void> => {
  const fault = await findRightsFault(directory);
  if (fault !== undefined) throw new Error(`The data directory ${directory} ${fault.fault}. ${fault.remedy}`);
};

/** What of the folder's owner and rights the service refuses, as the end of a sentence, with the remedy. */
export const findRightsFault = async (
  directory: string,
): Promise<{ readonly fault: string; readonly remedy: string } | undefined> => {
  const { mode, uid } = await stat(directory);
  const own = process.getuid?.();
  // Windows has no such modes; there the folder's own permissions decide.
  if (own === undefined) return undefined;
  if (uid !== own) {
    const fault = `belongs to user ${uid}, this process runs as user ${own}`;
    const users = await readFile("/etc/passwd", "utf8").catch(() => "");
    return { fault, remedy: await remedyFor(directory, ownerRemedy(directory, { owner: uid, own, users })) };
  }
  if ((mode & 0o077) === 0) return undefined;
  return {
    fault: "can be read by other users",
    remedy: await remedyFor(directory, `Run: chmod 700 '${directory}'`),
  };
};

/**
 * What to do about a directory of user `owner`, for a process of user `own`; `users` is the text of
 * /etc/passwd. The directory stays with an owner that is a user of this machine: its service needs it. Only
 * root, and an id that no user has, give it up.
 */
export const ownerRemedy = (
  directory: string,
  { owner, own, users }: { readonly owner: number; readonly own: number; readonly users: string },
): string => {
  const [name] =
    users
      .split("\n")
      .map((line) => line.split(":"))
      .find(([, , id]) => id === String(owner)) ?? [];
  return name === undefined || owner === 0
    ? `Run: chown -R ${own} '${directory}'`
    : `Run this as its user, ${name}.`;
};

/** In a directory whose restore has not ended. */
const restoreMark = "restore-unfinished";

/** Marks a directory, durably, until {@link endRestore}: no service starts with it. */
export const beginRestore = async (directory: string): Promise<void> => {
  await createPrivate(join(directory, restoreMark));
  await flush(directory);
};

export const endRestore = async (directory: string): Promise<void> => {
  await rm(join(directory, restoreMark));
  await flush(directory);
};

/** Whether a restore to this directory was interrupted, or still runs. */
export const isRestoring = (directory: string): boolean => existsSync(join(directory, restoreMark));

const flush = async (directory: string): Promise<void> => {
  const handle = await open(directory, "r");
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
};

/** Files that a deployment has from its first start on, whatever its store is. */
const deploymentFiles: readonly string[] = ["lock.sqlite", "idem.sqlite", "blobs"];

/**
 * Other owner or rights would break what else lives in a folder such as /tmp: only Idem's own folder gets
 * them.
 */
const remedyFor = async (directory: string, remedy: string): Promise<string> => {
  const names = await readdir(directory).catch(() => []);
  const isOwn = names.length === 0 || names.some((name) => deploymentFiles.includes(name));
  return isOwn ? remedy : "It holds files that are not Idem's: set IDEM_DATA to a directory of its own.";
};

/**
 * Creates a file for its owner alone if it is missing. SQLite gives a new file to all readers, and the files
 * beside it get its mode.
 */
export const createPrivate = async (file: string): Promise<void> => {
  await (await open(file, "a", 0o600)).close();
};

/**
 * The files directly in the folder that other users have rights on, with their modes. Windows has no such
 * modes.
 */
export const listOpenFiles = async (
  directory: string,
): Promise<readonly { readonly file: string; readonly mode: number }[]> => {
  const entries = process.getuid === undefined ? [] : await readdir(directory, { withFileTypes: true });
  const files = entries.filter((entry) => entry.isFile()).map(({ name }) => join(directory, name));
  const modes = await Promise.all(files.map(modeOf));
  return files.flatMap((file, at) => {
    const mode = modes[at] ?? 0;
    return (mode & 0o077) === 0 ? [] : [{ file, mode }];
  });
};

/** The rights on a file; undefined for a file that was removed after the listing. */
const modeOf = async (file: string): Promise<number | undefined> => {
  try {
    return (await stat(file)).mode & 0o777;
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") {
      return undefined;
    }
    throw error;
  }
};

const closeToOthers = async (directory: string): Promise<void> => {
  for (const { file, mode } of await listOpenFiles(directory)) {
    await chmod(file, mode & 0o700);
  }
};

/**
 * An operating system lock, held through an open transaction, so it ends with the process, even by SIGKILL; a
 * file with the text "locked" would outlive it. Undefined when another process holds it.
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

/**
 * The id of the process that has the folder open, as text; undefined when no process has. Changes nothing.
 */
export const findHolder = async (path: string): Promise<string | undefined> => {
  const file = join(path, "lock.sqlite");
  try {
    const lock = new Database(file, { readonly: true, fileMustExist: true, timeout: 0 });
    try {
      // Reads the file: refused while another process holds the exclusive lock.
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
    // The process holds the lock but has not written its id yet; the lock alone decides.
    return "(starting)";
  }
};
