/** Errors of opening a store, rewritten for the operator: the setting, the cause, the next step. */
import { isDiskFull } from "#machine/storage/disk-space";
import { codeOf, messageOf } from "#machine/storage/outage";

/** The embedded store's file in the data directory. */
export const storeFile = "idem.sqlite";

/** The innermost error: a failure of the store carries the original error as its cause. */
const originOf = (error: unknown): unknown =>
  error instanceof Error && error.cause !== undefined ? originOf(error.cause) : error;

/** The next step, by code of the system or of SQLite. */
const directoryAdvice: Readonly<Record<string, string>> = {
  EACCES: "Give this user the right to write there, or name another directory.",
  EPERM: "Give this user the right to write there, or name another directory.",
  EROFS: "The file system is read-only. Name a directory on another file system.",
  ENOSPC: "The disk is full. Free some space.",
  EDQUOT: "The disk quota is used up. Free some space.",
  ENOENT: "Name a directory on a file system where directories can be created.",
  ENOTDIR: "A file stands where a directory is wanted. Name another directory.",
  EEXIST: "A file stands where a directory is wanted. Name another directory.",
  SQLITE_CANTOPEN: "Give this user the right to write there, or name another directory.",
  SQLITE_READONLY: "Give this user the right to write there, or name another directory.",
};

/** What readiness says of a part of the storage whose check failed. */
export const missingStorage =
  (part: string) =>
  (error: unknown): string =>
    isDiskFull(error) ? `the disk of ${part} is full` : `${part} does not answer`;

/** Explains an error of the data directory. An error without a code is already written for the operator. */
export const explainDirectory = (error: unknown, directory: string): Error => {
  const code = codeOf(error);
  if (code === "") {
    return error instanceof Error ? error : new Error(String(error));
  }
  const advice = directoryAdvice[code] ?? "Check the disk and the permissions of this user.";
  return new Error(`IDEM_DATA: ${directory} cannot be written (${code}). ${advice}`, { cause: error });
};

/** Explains an error of the embedded store's file. */
export const explainFile = (error: unknown, file: string): Error => {
  const message = messageOf(error).replace(/\.$/, "");
  const advice = /not a database|malformed/.test(message)
    ? " Restore it from a backup, or set IDEM_DATA to another directory."
    : "";
  return new Error(`IDEM_DATA: ${file} cannot be opened: ${message}.${advice}`, { cause: error });
};

/**
 * Whether opening failed because the embedded store's file has no table yet: the start that made it was cut
 * off.
 */
export const isWithoutTables = (error: unknown): boolean =>
  messageOf(originOf(error)) === "no such table: migrations";

/** Host and port, never user or password. */
const placeOf = (url: string): string => {
  const { hostname, port } = new URL(url);
  return `${hostname || "localhost"}:${port || "5432"}`;
};

/** The next step, by SQLSTATE (PostgreSQL, appendix A: classes 28, 3D and 42). */
const postgresAdvice: Readonly<Record<string, string>> = {
  "28P01": "Correct user and password in the URL.",
  "28000": "Let this user in (pg_hba.conf), or correct the URL.",
  "3D000": "Create the database, or correct the URL.",
  "42501": "Give this user the rights to read and write the tables.",
};

/** Explains an error of PostgreSQL. An error without a code is our own sentence, or a connection time-out. */
export const explainPostgres = (error: unknown, url: string): Error => {
  const origin = originOf(error);
  const code = codeOf(origin);
  const isSilent = code === "" ? /time ?out|terminated/i.test(messageOf(origin)) : /^E[A-Z_]+$/.test(code);
  if (isSilent) {
    const reason = code || messageOf(origin);
    return new Error(
      `IDEM_DATABASE_URL: no PostgreSQL server answers at ${placeOf(url)} (${reason}). Start it, or correct the URL.`,
      { cause: error },
    );
  }
  if (code === "") {
    return new Error(messageOf(origin), { cause: error });
  }
  const advice = postgresAdvice[code] ?? "See the server's log.";
  return new Error(`IDEM_DATABASE_URL: ${placeOf(url)} answers "${messageOf(origin)}" (${code}). ${advice}`, {
    cause: error,
  });
};
