import { statfs } from "node:fs/promises";
import { codeOf } from "./outage.ts";

/**
 * Below this a disk counts as full. Our choice: the log of the store grows by some pages with each commit,
 * and a small write still succeeds in its own free pages where one of a call does not.
 */
export const freeBytesMin = 1024 * 1024;

/** Rejects with the code ENOSPC while the disk of `path`, which must exist, has no space for a write. */
export const requireSpace = async (path: string, bytesMin = freeBytesMin): Promise<void> => {
  const { bavail, bsize } = await statfs(path);
  if (bavail * bsize >= bytesMin) return;
  throw Object.assign(
    new Error(`The disk is full: ${bavail * bsize} bytes are free, ${bytesMin} are needed`),
    {
      code: "ENOSPC",
    },
  );
};

/** Codes of a full disk or quota: of the system, SQLite and PostgreSQL (appendix A, 53100). */
const fullCode = /^(ENOSPC|EDQUOT|SQLITE_FULL|53100)$/;

/**
 * Whether an error or its cause states that a disk is full. The thread of the store hands on only the
 * message.
 */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof Error &&
  (fullCode.test(codeOf(error)) || /\bdisk is full\b/.test(error.message) || isDiskFull(error.cause));
