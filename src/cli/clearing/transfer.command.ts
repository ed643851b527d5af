import type { Command } from "../command.ts";

export const transfer: Command = {
  help: `Usage: idem clearing transfer TRANSACTION --scan REFERENCE [affiliate] [--second-verification]
       idem clearing transfer list
       idem clearing transfer show ID
       idem clearing transfer resume ID [--ticket TEXT | --without-ticket]
       idem clearing transfer abandon ID

Runs over the running service, which does the work: it stores each step, so that a transfer survives this command and the service.
TRANSACTION is serviceTransactionId of the identity answer, REFERENCE scanReference of the document validation.

list        prints the newest transfers
show        prints one with its ticket and token
resume      goes on with a refused or unclear transfer. One without a ticket needs what the entity told you: its ticket, or that it
            made none
abandon     ends it: the transaction may have another transfer then

Affiliate, where the document does not show it:
  --first-name, --paternal-surname, --maternal-surname, --rut

  --scan     reference of the document validation
  --second-verification  asks the entity for a second verification
  --wait     seconds to follow the transfer, 0 to 86400; default 120. The transfer goes on without this command
  --json     the answer of the service as one line of JSON
  --url      base address of the service; default http://127.0.0.1 with IDEM_PORT
  --key-from environment variable with an API key with the scope clearing; default: the development key of the data directory

Exit code 0: the transfer has its token, or the action was done. 1: it was refused, is unclear, or still waits.`,
  run: async (args) => (await import("./transfer.ts")).runTransfer(args),
};
