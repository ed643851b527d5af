import { type Command, wrongAction } from "../command.ts";

export const store: Command = {
  topics: {
    verify: async () => (await import("./verify.command.ts")).verifyStoreCommand,
    repair: async () => (await import("./repair.command.ts")).repairStoreCommand,
  },
  help: `Usage: idem store verify [--json]
       idem store repair --from BACKUP --key SECRET.pem [--json]

Finds damage of the store, and copies damaged objects back from a backup. Each command has its own --help. What is noticed, what is
not, and what can be repaired: docs/guides/operate/backup.md`,
  run: async ([given]) => {
    throw wrongAction("store", given, ["verify", "repair"]);
  },
};
