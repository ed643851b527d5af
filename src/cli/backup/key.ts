import { open } from "node:fs/promises";
import { makeBackupKey, readPublicKey, recipientIdOf } from "#machine/storage/backup/backup-key";
import { CommandError, parseOptions, print, type Run, say, UsageError } from "../command.ts";

export const runBackupKey: Run = async (args) => {
  const { values } = parseOptions(args, { out: { type: "string" } });
  const { out } = values;
  if (out === undefined) throw new UsageError("Name the file of the secret key: --out SECRET.pem");
  const { secretPem, publicPem } = makeBackupKey();
  await writeNew(out, secretPem);
  say(
    `Key ${recipientIdOf(readPublicKey(publicPem, "The new key"))}. Without ${out} no backup to it can be opened.`,
  );
  print(publicPem.trimEnd());
  return 0;
};

const writeNew = async (file: string, text: string): Promise<void> => {
  const fail = (error: NodeJS.ErrnoException): never => {
    const reason =
      error.code === "EEXIST" ? "exists: it may be the key of backups" : `cannot be written (${error.code})`;
    throw new CommandError(`${file} ${reason}. Name another file.`, { cause: error });
  };
  const handle = await open(file, "wx", 0o600).catch(fail);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
};
