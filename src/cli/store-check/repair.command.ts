import type { Command } from "../command.ts";

export const repairStoreCommand: Command = {
  help: `Usage: idem store repair --from BACKUP --key SECRET.pem [--json]

Copies objects that the deployment has lost, or that were changed, back from a backup of idem backup. An object is taken if its
length and SHA-256 are those that its row states, so that a wrong or forged backup changes nothing. Rows are never changed: damage of
the database needs a restore (idem restore). The service may run.

  --from   the backup
  --key    file of the secret key (PEM). Bring it for this command, and remove it afterwards
  --json   one JSON object on stdout: compared, repaired, notRepaired

Exit code 0: every object of the backup that was damaged here is whole again; idem store verify tells what else is damaged. 1: some
could not be repaired from this backup. Try another one.`,
  run: async (args) => (await import("./repair.ts")).runRepairStore(args),
};
