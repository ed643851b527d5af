import type { Command } from "../command.ts";

export const demo: Command = {
  help: `Usage: idem demo [--full] [--exit] [--json] [--keep DIR] [--port N]

Starts the service on the embedded store in a fresh temporary directory, seals selfies as a capture page does, and calls
documentValidation start, identity, status and data for one genuine person and five that must not pass. Each case is an
operation: its events arrive at the mailbox, which verifies them. Each asks for the certificate of pension clearing, which
IDEM_CLEARING_ASSURANCE=strict refuses to all: no capture page took their selfies. The genuine person signs a contract. The evidence of that
operation is verified without the service. Then the service stays up until Ctrl-C or SIGTERM, with its documentation page. Ends with 1 when a case has an unexpected result.

  --full   start the sandbox too, and add civil validation in seven countries and pension clearing, each with its events
  --exit   end the service and remove the directory after the last case
  --keep   write the images of every case and the signed contract to DIR, to try the API with them; use them only on this machine
  --json   one JSON line per case on stdout and nothing else there
  --port   port of the service; default a free one

Settings of the environment do not apply here: the demo has its own directory and port, and ignores IDEM_… variables
but IDEM_REQUEST_TIMEOUT_MS, the longest time of a call, for a busy machine.`,
  run: async (args) => (await import("./demo.ts")).runDemo(args),
};
