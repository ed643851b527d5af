import type { Command } from "../command.ts";

export const verifyEvidenceCommand: Command = {
  help: `Usage: idem evidence verify [--tenant NAME] [--against FILE] [--ca FILE] [--json]
       idem evidence verify FILE [--against FILE] [--ca FILE] [--json]
       idem evidence verify BUNDLE.pdf [--roots FILE] [--json]

Recomputes the chain of each tenant, and compares it with its time-stamps and with the heads that were kept outside of
the database. Names every place where an entry was edited, removed, moved or cut off: tenant, entry, what differs. It
reads alone, and may run beside the service. It also compares the rows that give a right (keys, destinations, credentials, lists) with the
entries that made them; with the master key (IDEM_MASTER_KEY) with their seals too, and the end of each chain with its seal.

With a file it verifies an export, or the bundle of one operation: no service, no database, no settings. Of a bundle it checks the
signature, each attachment, each link of the chain and each time-stamp. What a result proves, and what it does not:
docs/guides/understand/evidence.md

  FILE        a file of idem evidence export; --file FILE is the same
  --tenant    name of one tenant; default: all
  --roots     PEM file with the root certificates of a bundle's signer and time-stamp authorities. Without it no
              signer is trusted, and the command ends with 1
  --against   a file with heads that you kept elsewhere: an earlier export, a copy of evidence-heads.jsonl, or the log
              of the service. A chain that ends before such a head, or holds another entry in its place, is a fault.
              With --tenant or --file it must hold a head of that tenant. "heads" is the number that was compared
  --ca        PEM file with the root certificates of the time-stamping authority; default for a store: IDEM_TIMESTAMP_CA.
              Without it a time-stamp of any signer passes, and the result says so
  --json      one JSON object on stdout instead of the table

Exit code 0: every chain is whole, or the bundle is valid. 1: a fault was found, or the command failed.`,
  run: async (args) => (await import("./verify.ts")).runVerifyEvidence(args),
};
