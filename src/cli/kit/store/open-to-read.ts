import { openStoreToRead } from "#app/storage";
import type { Config } from "#machine/config/config";
import { CommandError, opening } from "../../command.ts";

type Opened = NonNullable<Awaited<ReturnType<typeof openStoreToRead>>>;

/**
 * Opens the store for reading alone, beside a running service. Throws CommandError where nothing is stored
 * yet.
 */
export const openToRead = async (config: Config): Promise<Opened> => {
  const opened = await opening(openStoreToRead(config));
  if (opened !== undefined) return opened;
  throw new CommandError(`Nothing is stored in ${config.dataDirectory} yet: is IDEM_DATA right?`);
};
