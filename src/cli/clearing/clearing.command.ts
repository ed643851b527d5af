import { type Command, wrongAction } from "../command.ts";

const topics = {
  credentials: async () => (await import("./credentials.command.ts")).credentials,
  code: async () => (await import("./code.command.ts")).code,
  callbacks: async () => (await import("./callbacks.command.ts")).callbacks,
  transfer: async () => (await import("./transfer.command.ts")).transfer,
};

export const clearing: Command = {
  topics,
  help: `Usage: idem clearing code UUID        the verification code of a transaction
       idem clearing transfer …       transfers; it has its own --help
       idem clearing callbacks        callbacks of the older flow
       idem clearing credentials …    what a certificate asks for beside its key; it has its own --help

More: docs/guides/integrate/clearing.md`,
  run: async ([action]) => {
    throw wrongAction("clearing", action, Object.keys(topics));
  },
};
