import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { readConfig } from "#machine/config/config";
import { readSecretKey } from "#machine/storage/backup/backup-key";
import { openStream } from "#machine/storage/backup/envelope";
import { CommandError, opening, parseOptions, print, type Run, say, UsageError } from "../command.ts";
import { inBackupWords } from "../kit/in-backup-words.ts";
import { makeProgress } from "../kit/progress.ts";
import { readText } from "../kit/text-file.ts";

export const runRepairStore: Run = async (args) => {
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
