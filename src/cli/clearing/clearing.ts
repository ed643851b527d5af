import { type Command, wrongAction } from "../command.ts";

const topics = {
  credentials: async () => (await import("./credentials.ts")).credentials,
  code: async () => (await import("./code.ts")).code,
  callbacks: async () => (await import("./callbacks.ts")).callbacks,
  transfer: async () => (await import("./transfer.ts")).transfer,
};

export const clearing: Command = {
  topics,
  help: `Usage: idem clearing code UUID        the verification code of a transaction
       idem clearing transfer …       transfers; it has its own --help
       idem clearing callbacks        callbacks of the older flow
       idem clearing credentials …    what a certificate asks for beside its key; it has its own --help

More: docs/guides/clearing.md`,
  run: async ([action]) => {
    throw wrongAction("clearing", action, Object.keys(topics));
  },
};
