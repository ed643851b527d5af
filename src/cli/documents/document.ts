import { lintModelFile } from "#judging/document/decision/models/read-models";
import { type Command, parseOptions, print, say, UsageError, wrongAction } from "../command.ts";

const lint: Command = {
  help: `Usage: idem document lint FILE...

Reads document models (YAML, docs/guides/document-models.md) and prints every problem with its place in the file. The
service accepts the same files at its start. Notes are not problems: they name checks that are too uncertain to decline
a document. Exit code 1 where a file has problems.`,
  run: async (args) => {
    const { positionals } = parseOptions(args, {}, true);
    if (positionals.length === 0) {
      throw new UsageError("Name a file: idem document lint FILE");
    }
    let isSound = true;
    for (const path of positionals) {
      isSound = lintFile(path) && isSound;
    }
    return isSound ? 0 : 1;
  },
};

const lintFile = (path: string): boolean => {
  const { model, problems, notes } = lintModelFile(path);
  if (model !== undefined) {
    print(`${path}: ${model.id}, ${model.fields.length} fields, ${model.checks.length} checks`);
  }
  for (const problem of problems) print(`${path}: ${problem}`);
  for (const note of notes) say(`${path}: note: ${note}`);
  return problems.length === 0;
};

export const document: Command = {
  help: `Usage: idem document <command> [options]

lint                          check the file of a document model
block | blocked | unblock     documents known from fraud

Each has its own --help.`,
  topics: {
    lint: async () => lint,
    block: async () => (await import("./document-list.ts")).block,
    blocked: async () => (await import("./document-list.ts")).blocked,
    unblock: async () => (await import("./document-list.ts")).unblock,
  },
  run: async ([given]) => {
    throw wrongAction("document", given, ["lint", "block", "blocked", "unblock"]);
  },
};
