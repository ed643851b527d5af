import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { readConfig } from "#machine/config/config";
import { readSecretKey } from "#machine/storage/backup/backup-key";
import { openStream } from "#machine/storage/backup/envelope";
import { inBackupWords } from "../backup/in-backup-words.ts";
import { type Command, CommandError, opening, parseOptions, print, say, UsageError } from "../command.ts";
import { makeProgress } from "../progress.ts";
import { readText } from "../text-file.ts";

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
  run: async (args) => {
    const { values } = parseOptions(args, {
      from: { type: "string" },
      key: { type: "string" },
      json: { type: "boolean", default: false },
    });
    const { from, key } = values;
    if (from === undefined) throw new UsageError("Name the backup: --from BACKUP");
    if (key === undefined) throw new UsageError("Name the file of the secret key: --key SECRET.pem");
    const pem = await readText(key, `The key ${key}`);
    const { size } = await stat(from).catch((error: NodeJS.ErrnoException) => {
      throw new CommandError(`${from} cannot be read (${error.code}).`, { cause: error });
    });
    const { repairBlobs } = await import("#app/store-check/repair-blobs");
    const progress = makeProgress("Backup");
    let done = 0;
    const report = await inBackupWords(() =>
      opening(
        repairBlobs(
          readConfig(),
          openStream(readSecretKey(pem, key), createReadStream(from, { highWaterMark: 1024 * 1024 })),
          (bytes) => {
            done += bytes;
            progress.show(done, size);
          },
        ),
      ),
    );
    progress.end();
    print(values.json ? JSON.stringify(report) : wordsOf(report));
    if (!values.json) {
      report.repaired.forEach((name) => say(`copied back: ${name}`));
      report.notRepaired.forEach((name) =>
        say(`not as its row states it in this backup, or its place takes no object: ${name}`),
      );
    }
    return report.notRepaired.length === 0 ? 0 : 1;
  },
};

const wordsOf = ({
  compared,
  repaired,
  notRepaired,
}: {
  readonly compared: number;
  readonly repaired: readonly string[];
  readonly notRepaired: readonly string[];
}): string =>
  `${compared} objects compared, ${repaired.length} copied back, ${notRepaired.length} not repaired.`;
