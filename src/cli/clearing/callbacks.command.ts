import type { Command } from "../command.ts";

export const callbacks: Command = {
  help: `Usage: idem clearing callbacks [--after NEXT] [--json]

Prints the newest 50 callbacks of POST /services/previred: their state, the number of their attempts, how the last one ended, and the
time of the next one. Runs over the running service.

  --after    the next page, as the page before names it
  --json     the answer of the service as one line of JSON, with every attempt
  --url      base address of the service; default http://127.0.0.1 with IDEM_PORT
  --key-from environment variable with an API key with the scope clearing; default: the development key of the data directory`,
  run: async (args) => (await import("./callbacks.ts")).runCallbacks(args),
};
