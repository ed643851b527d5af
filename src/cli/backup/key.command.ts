import type { Command } from "../command.ts";

export const backupKey: Command = {
  help: `Usage: idem backup key --out SECRET.pem > PUBLIC.pem

Makes a key pair of X25519. The secret key goes to the file, readable by this user alone; the public key goes to stdout. The
service needs the public key alone. openssl genpkey -algorithm X25519 makes such a key too.

  --out   the file of the secret key; an existing file is not replaced`,
  run: async (args) => (await import("./key.ts")).runBackupKey(args),
};
