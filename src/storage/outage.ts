import { Failure } from "#contract/failure";

/** Codes that SQLite and the system give where the place that keeps the bytes fails, and not what was asked of it. */
const outageCodes =
  /^(SQLITE_(READONLY|IOERR|FULL|CANTOPEN|BUSY|LOCKED|CORRUPT|NOTADB|NOMEM|PROTOCOL)|E[A-Z0-9]+$)/;

/** Whether a disk, a database file or a socket failed. */
export const isOutage = (error: unknown): boolean =>
  error instanceof Error && "code" in error && typeof error.code === "string" && outageCodes.test(error.code);

/** The failure that a caller hears when the storage does not answer; the cause stays with the operator. */
export const unavailable = (cause: unknown): Failure => new Failure("store_unavailable", {}, { cause });

/** Runs work on the disk; fails with `store_unavailable` where the disk does. */
export const onDisk = async <Answer>(work: () => Promise<Answer>): Promise<Answer> => {
  try {
    return await work();
  } catch (error) {
    throw isOutage(error) ? unavailable(error) : error;
  }
};
