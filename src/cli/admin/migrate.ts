import { openStore } from "#app/storage";
import { readConfig } from "#config/config";
import { type Command, opening, parseOptions, say } from "../command.ts";
import { settleMasterKey } from "../serve/development-master-key.ts";
import { prepareDirectory, requireUsable } from "../serve/first-start.ts";

export const migrate: Command = {
  help: `Usage: idem migrate

Opens the configured store and applies the missing migrations; does nothing when there are none. "idem serve" does the
same on the embedded store. On PostgreSQL run it once before a new version starts. It takes a lock: several runs at once
do no harm.`,
  run: async (args) => {
    parseOptions(args, {});
    const config = readConfig();
    // PostgreSQL's tables need neither the directory nor a key.
    await (config.databaseUrl === undefined ? prepareDirectory(config) : requireUsable(config));
    const { store, close } = await opening(openStore(config, { migrate: true }));
    try {
      if (config.databaseUrl === undefined) await settleMasterKey(config, store);
    } finally {
      await close();
    }
    say(
      config.databaseUrl === undefined ? "The embedded store is up to date." : "The database is up to date.",
    );
    return 0;
  },
};
