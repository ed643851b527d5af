import { readConfig } from "#machine/config/config";
import { makeBackupSigner } from "#machine/storage/backup/signature";
import { CommandError, parseOptions, print, type Run } from "../command.ts";
import { findMasterKey } from "../kit/store/development-master-key.ts";

export const runBackupSigner: Run = async (args) => {
  parseOptions(args, {});
  const ready = await findMasterKey(readConfig());
  if (ready === undefined) {
    throw new CommandError("No master key is set. Set IDEM_MASTER_KEY as the service has it.");
  }
  print(makeBackupSigner(ready.masterKey).key);
  return 0;
};
