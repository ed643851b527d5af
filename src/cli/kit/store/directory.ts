import { stat } from "node:fs/promises";
import { explainDirectory } from "#app/storage-errors";
import { ConfigError } from "#machine/config/config";
import { CommandError } from "../../command.ts";

/** Runs work on the data directory; a failure of the disk names the directory and the next step. */
export const inWords = async <Result>(directory: string, work: () => Promise<Result>): Promise<Result> => {
  try {
    return await work();
  } catch (error) {
    if (error instanceof ConfigError || error instanceof CommandError) {
      throw error;
    }
    throw new CommandError(explainDirectory(error, directory).message, { cause: error });
  }
};

export const isThere = (path: string): Promise<boolean> =>
  stat(path).then(
    () => true,
    () => false,
  );
