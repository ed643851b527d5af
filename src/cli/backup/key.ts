import { open } from "node:fs/promises";
import { makeBackupKey, readPublicKey, recipientIdOf } from "#machine/storage/backup/backup-key";
import { type Command, CommandError, parseOptions, print, say, UsageError } from "../command.ts";

export const backupKey: Command = {
  help: `Usage: idem backup key --out SECRET.pem > PUBLIC.pem

Makes a key pair of X25519. The secret key goes to the file, readable by this user alone; the public key goes to stdout. The
service needs the public key alone. openssl genpkey -algorithm X25519 makes such a key too.

  --out   the file of the secret key; an existing file is not replaced`,
  run: async (args) => {
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
  },
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
