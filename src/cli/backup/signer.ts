import { readConfig } from "#machine/config/config";
import { makeBackupSigner } from "#machine/storage/backup/signature";
import { type Command, CommandError, parseOptions, print } from "../command.ts";
import { findMasterKey } from "../serve/development-master-key.ts";

export const backupSigner: Command = {
  help: `Usage: idem backup signer

Prints the public key (Ed25519) that signs the backups of the master key of the settings. It is no secret. Keep it with the secret key
of the backups: idem restore --signer KEY verifies a backup with it where the master key is not at hand, or was replaced since.`,
  run: async (args) => {
    parseOptions(args, {});
    const ready = await findMasterKey(readConfig());
    if (ready === undefined) {
      throw new CommandError("No master key is set. Set IDEM_MASTER_KEY as the service has it.");
    }
    print(makeBackupSigner(ready.masterKey).key);
    return 0;
  },
};
