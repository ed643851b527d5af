import type { Command } from "../command.ts";

export const migrate: Command = {
  help: `Usage: idem migrate [--plan]

Opens the configured store and applies the missing migrations; does nothing when there are none. "idem serve" does the
same on the embedded store. On PostgreSQL run it once before a new version starts. It takes a lock: several runs at once
do no harm.

  --plan   prints the migrations that would run, and changes nothing. It may run beside a service of the former release. Exit code 1
           where there are any: back up first (docs/guides/operate/upgrading.md)`,
  run: async (args) => (await import("./migrate.ts")).runMigrate(args),
};
