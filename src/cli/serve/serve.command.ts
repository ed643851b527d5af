import type { Command } from "../command.ts";

export const serve: Command = {
  help: `Usage: idem serve [--role api|worker|delivery] [--settings]

Runs the service. The first start in development creates the data directory, a master key, the deployment's token key, a
test tenant and a test key, and prints the next step. SIGTERM or SIGINT drains: running calls finish, new calls are
refused (in production after a notice on /readyz). A second signal ends the service at once.

  --role       one of several processes on one PostgreSQL: api answers callers, worker analyses documents and does what
               recurs, delivery sends events to webhooks. Any number of each. Without it one process does everything.
  --settings   print every current setting (secrets only as "set" or "not set") and end`,
  run: async (args) => (await import("./serve.ts")).runServe(args),
};
