import type { Command } from "../command.ts";

export const restore: Command = {
  help: `Usage: idem restore FILE --key SECRET.pem --check [--signer KEY] [--unsigned] [--despite-damage] [--json]
       idem restore FILE --key SECRET.pem --to DIR [--signer KEY] [--unsigned] [--despite-damage] [--json]
       idem restore --manifest FILE --check [--json]

Opens a backup of idem backup, and compares all of it: its signature, each part and hash, the store by SQLite's own check, the chains with
their stated ends, the stored objects with length and hash in the rows that name them. With IDEM_MASTER_KEY set, also whether this key opens the store.
A check names rows that give a right and were added, changed or removed past the service: their seals with IDEM_MASTER_KEY, their entries without.

  --key       file of the secret key (PEM)
  --check     reads to the end and keeps nothing. The store is copied to a temporary file meanwhile
  --to        an empty or new directory, which becomes a data directory: start the service with IDEM_DATA=DIR. A restore that
              was interrupted leaves a directory that no service starts with; one that fails leaves it empty
  --despite-damage
              takes a backup that states damage of its store (idem backup --despite-damage). By default it is refused. Faults of the
              evidence that nothing repairs are stated, with exit code 1, and not refused
  --signer    public key of a signer, as idem backup signer shows it; several with commas. Default: the keys that follow from
              IDEM_MASTER_KEY and IDEM_MASTER_KEY_PREVIOUS
  --unsigned  takes a backup without a signature, of release 0.1.0: it does not prove who made it
  --manifest  compares the deployment of the settings with a manifest: every chain still holds its stated end, and every listed
              object is there with its SHA-256, unless its row was removed since. For PostgreSQL and a bucket, after both were restored

Exit code 0 only where all of it is right. The signature proves that the deployment made the file, and not that it is its newest one.`,
  run: async (args) => (await import("./restore.ts")).runRestore(args),
};
