import type { Command } from "../command.ts";
import { serviceHelp } from "./service-help.ts";

export const listen: Command = {
  help: `Usage: idem listen --forward URL [--url URL] [--key-from NAME]

Sends each event of the test environment that arrives at the mailbox to the URL, with its own headers and bytes, so that a
receiver on this machine can verify it. Ends with Ctrl-C. Makes a destination for the mailbox where there is none. The secret
that signs is that of this destination: POST /operator/destinations/{destinationId}/rotate-secret answers a new one, and idem
webhooks rotate-secret prints one while no embedded service runs.

  --forward  http address on this machine, such as http://127.0.0.1:3000/webhook
${serviceHelp}`,
  run: async (args) => (await import("./listen.ts")).runListen(args),
};
