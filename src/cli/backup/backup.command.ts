import type { Command } from "../command.ts";

export const backup: Command = {
  help: `Usage: idem backup --out FILE --recipient PUBLIC.pem [--manifest FILE] [--force] [--despite-damage] [--json]
       idem backup --manifest FILE [--despite-damage] [--json]     on PostgreSQL
       idem backup key --out SECRET.pem > PUBLIC.pem
       idem backup signer

Copies the embedded store as it stands at one commit, then every stored object, added model and evidence head, into one file
that only the holder of the secret key can open (X25519 and AES-256-GCM; docs/formats/backup.md). The service goes on. Every
answer that it gave before the command began is in the backup. The master key is not: keep it apart. Open the file with
idem restore. A key that follows from the master key signs all of it, so that no other file passes for a backup of this deployment.

On PostgreSQL the server and the bucket are backed up by their own means. Make the manifest first, then the dump, then the copy of the
bucket: docs/guides/operate/backup.md. The manifest lists every object with its SHA-256, and the end of each evidence chain.

  --out        the file, which must not exist. While it is made, a copy of the store stands beside it, readable by this user alone
  --force      replaces an existing file of --out, when the backup is complete
  --recipient  file of the public key, or of the pair, as PEM
  --manifest   a file for the manifest: JSON Lines, no personal data; an existing file is replaced
  --despite-damage
               writes what is left of a damaged store. The damage is listed in the backup and its manifest, and damaged objects are
               left out. By default a damaged store is refused, and the damage is named: idem store verify
  --unsigned   makes a backup without the master key, which a restore takes only with --unsigned
  --json       one JSON object on stdout: files, bytes, removed, missing, damaged, lasting, sha256, recipient, signer

signer shows the public key that signs the backups of this master key. Keep it with the secret key: idem restore --signer
key    makes a pair: the secret key goes to the file, the public key to stdout. Keep the secret key off the machines of the service

The copy of the store is checked before it is written, as by idem store verify, and each object against the length and hash in its
row. With IDEM_MASTER_KEY, or the key of a development start, sealed rows are opened too.

Exit code 1 also where the store names objects that the deployment has lost, and where the evidence has faults: nothing repairs these,
so that the backup is written, and states them. --despite-damage is not needed.`,
  topics: {
    key: async () => (await import("./key.command.ts")).backupKey,
    signer: async () => (await import("./signer.command.ts")).backupSigner,
  },
  run: async (args) => (await import("./backup.ts")).runBackup(args),
};
