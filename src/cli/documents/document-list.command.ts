import type { Command } from "../command.ts";
import { noteLengthMax } from "../note-length.ts";

export const block: Command = {
  help: `Usage: idem document block --country CODE --environment live|test [--note TEXT] [--tenant NAME] < FILE

Reads document numbers from standard input, one per line: so none appears in the process list or the shell history.
A document with such a number is declined (106). Only a keyed hash of a number is stored: it cannot be read back.
Prints the id of each entry; unblock takes it.

  --country      issuing country, ISO 3166-1 alpha-3
  --environment  environment of the entry
  --note         reason, for readers of the list; sealed, at most ${noteLengthMax} characters
  --tenant       name of the tenant; needed when there are several

It works while the service runs.`,
  run: async (args) => (await import("./document-list.ts")).runBlock(args),
};

export const blocked: Command = {
  help: `Usage: idem document blocked [--tenant NAME] [--json]

Prints the entries of a tenant: id, environment, date, state, and note. The numbers themselves are not stored. A forged entry was
added or changed past the service: unblock it, or see idem rights accept.`,
  run: async (args) => (await import("./document-list.ts")).runBlocked(args),
};

export const unblock: Command = {
  help: `Usage: idem document unblock --id ID [--tenant NAME]

Removes an entry; the tenant's evidence keeps a record of it.`,
  run: async (args) => (await import("./document-list.ts")).runUnblock(args),
};
