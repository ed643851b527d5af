import type { Command } from "../command.ts";

export const verifyStoreCommand: Command = {
  help: `Usage: idem store verify [--json]

Checks the whole store for damage: the database in itself (pages, each table against its indexes, references, definitions),
every sealed row by opening it, the evidence chains, every row that gives a right against its seal and its entries (as idem rights
verify), and every stored object against the length and hash in its row. Each fault says what is wrong, where, and what can be repaired and how.

It reads alone, on the embedded store and on PostgreSQL and S3, and may run beside the service. It reads every byte: plan some
minutes for 10 GB. With IDEM_MASTER_KEY, or the key of a development start, it opens sealed rows and compares seals; without, it says that it did not.
What no check can notice: docs/guides/operate/backup.md, 'Damage'.

  --json   one JSON object on stdout: isWhole, faultCount, parts with their faults and remarks

Exit code 0: no fault. 1: a fault was found, or the store does not answer.`,
  run: async (args) => (await import("./verify.ts")).runVerifyStore(args),
};
