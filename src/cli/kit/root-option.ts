import { readRootFile } from "#app/evidence";
import { ConfigError } from "#machine/config/config";
import { UsageError } from "../command.ts";

/**
 * The trusted roots in the PEM file of an option. Throws UsageError for a file that is missing or holds no
 * root.
 */
export const readRootOption = async (path: string, option: string) =>
  await readRootFile(path, option).catch((error: unknown) => {
    throw error instanceof ConfigError ? new UsageError(error.message, { cause: error }) : error;
  });
