import type { Command } from "../command.ts";

export const exportEvidence: Command = {
  help: `Usage: idem evidence export --tenant NAME [--since SEQ] --out FILE [--json]
       idem evidence export --operation ID --out FILE [--tenant NAME] [--environment live|test] [--images] [--anyway] [--json]

Writes the chain of a tenant as JSON Lines: a line with the head (last entry, its hash, time), the
time-stamps, then the entries with the bodies that are kept. idem evidence verify --file FILE checks it anywhere. Kept
elsewhere, the head of the file shows later that the chain was cut or replaced: idem evidence verify --against FILE.
It reads alone, needs no master key, and may run beside the service. The file is readable by its owner only: bodies name
users, calls and documents by their random ids.

With --operation it writes the evidence bundle of that operation: a signed PDF with a report, every decision with its
measurements, and the links of the chain. That needs the master key and the signer. Rows that do not fit the chain refuse it.

  --tenant   name of the tenant; needed when there are several
  --since    the export begins after this entry; default 0: the whole chain
  --out      the file; an existing file is replaced without a question when the export is complete
  --json     one JSON object on stdout: entries, lastSeq, headHash, file; of a bundle: bytes, sha256, level, faults, file

  --operation    the operation, as in the source of its events
  --environment  live or test; default live
  --images       kept images become attachments of the bundle. Without it the bundle holds their hashes
  --anyway       makes the bundle although rows and chain do not fit. It states each fault

Prints the number of entries and the hash of the head, or the hash of the bundle.`,
  run: async (args) => (await import("./export.ts")).runExportEvidence(args),
};
