import type { Command } from "../command.ts";

export const backupSigner: Command = {
  help: `Usage: idem backup signer

Prints the public key (Ed25519) that signs the backups of the master key of the settings. It is no secret. Keep it with the secret key
of the backups: idem restore --signer KEY verifies a backup with it where the master key is not at hand, or was replaced since.`,
  run: async (args) => (await import("./signer.ts")).runBackupSigner(args),
};
