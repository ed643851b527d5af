import type { Command } from "../command.ts";

export const sandbox: Command = {
  help: `Usage: idem sandbox [--serve] [--json] [--dir DIR] [--port N]
       idem sandbox persons --country ECU [--count N] [--from N] [--json]
       idem sandbox document --country ECU --index 7 --out DIR [--specimen]

Starts HTTP servers on the loopback address: seven civil registries with 5000 generated persons each, the clearing entity, an OAuth
server, a time-stamp authority, and a receiver of events. Writes registries.yaml and sandbox.env with the settings of a service
into the directory, and stays up until Ctrl-C or SIGTERM. docs/guides/start/sandbox.md.

  --serve   start the service beside it with these settings, on a data directory of its own in DIR
  --json    one line of JSON on stdout: addresses and files
  --dir     directory of the settings; default a fresh temporary one, removed at the end
  --port    first of eleven ports in a row; default free ones

persons prints generated persons; document writes front and back of a card and a selfie as JPEG. --specimen marks the card as
issuers mark specimens, which a validation answers with reason 508.`,
  topics: {
    persons: async () => (await import("./persons.command.ts")).persons,
    document: async () => (await import("./document-command.command.ts")).document,
  },
  run: async (args) => (await import("./sandbox.ts")).runSandbox(args),
};
