import { BackupFault } from "#machine/storage/backup/backup-fault";
import { codeOf } from "#machine/storage/outage";
import { CommandError } from "../command.ts";

/** Errors of the disk that the operator repairs. */
const advice: Readonly<Record<string, string>> = {
  ENOSPC: "The disk is full. Free some space.",
  EDQUOT: "The disk quota is used up. Free some space.",
  EACCES: "Give this user the right to write there, or name another place.",
  EROFS: "The file system is read-only. Name another place.",
};

/** Runs the work; an expected failure becomes one sentence for the operator. */
export const inBackupWords = async <Result>(work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof BackupFault) throw new CommandError(error.message, { cause: error });
    const code = codeOf(error);
    if (error instanceof Error && (advice[code] !== undefined || error.message.startsWith("IDEM_"))) {
      throw new CommandError(`${error.message.replace(/\.$/, "")}. ${advice[code] ?? ""}`.trim(), {
        cause: error,
      });
    }
    throw error;
  }
};
