import { readConfig } from "../config.ts";
import { openStore } from "../open-storage.ts";
import { type Command, opening, parseOptions, say } from "./command.ts";
import { prepareDirectory, requireUsable } from "./first-start.ts";

export const migrate: Command = {
  summary: "bring the store's tables up to this version",
  help: `Usage: idem migrate

Opens the store that the settings name and applies the migrations that it lacks; does nothing when there are none.
"idem serve" does the same on the embedded store. On PostgreSQL run it once before new versions start: it takes a lock,
so that several at once do no harm.`,
  run: async (args) => {
    parseOptions(args, {});
    const config = readConfig();
    // PostgreSQL's tables need neither the directory nor a key.
    await (config.databaseUrl === undefined ? prepareDirectory(config) : requireUsable(config));
    const { close } = await opening(openStore(config, { migrate: true }));
    await close();
    say(
      config.databaseUrl === undefined ? "The embedded store is up to date." : "The database is up to date.",
    );
    return 0;
  },
};
