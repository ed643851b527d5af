import { type Command, wrongAction } from "../command.ts";

const lint: Command = {
  help: `Usage: idem document lint FILE...

Reads document models (YAML, docs/guides/extend/document-models.md) and prints every problem with its place in the file. The
service accepts the same files at its start. Notes are not problems: they name checks that are too uncertain to decline
a document. Exit code 1 where a file has problems.`,
  run: async (args) => (await import("./document.ts")).runLint(args),
};

export const document: Command = {
  help: `Usage: idem document <command> [options]

lint                          check the file of a document model
block | blocked | unblock     documents known from fraud

Each has its own --help.`,
  topics: {
    lint: async () => lint,
    block: async () => (await import("./document-list.command.ts")).block,
    blocked: async () => (await import("./document-list.command.ts")).blocked,
    unblock: async () => (await import("./document-list.command.ts")).unblock,
  },
  run: async ([given]) => {
    throw wrongAction("document", given, ["lint", "block", "blocked", "unblock"]);
  },
};
