import { lintModelFile } from "../document/models/read-models.ts";
import { type Command, parseOptions, print, say, UsageError } from "./command.ts";

const lint: Command = {
  summary: "look a document model through",
  help: `Usage: idem document lint FILE...

Reads models of documents (YAML, docs/guides/document-models.md) and says of each all that is wrong, with the place in the file:
the start takes what this takes. Notes are no faults: they say which checks are not sure enough to turn anybody away.
Exit code 1 where a file has problems.`,
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
  summary: "check the model of a document, list documents known from fraud",
  help: `Usage: idem document <command> [options]

lint                          what is wrong with a model's file
block | blocked | unblock     documents that are known from fraud

Each has its own --help.`,
  topics: {
    lint: async () => lint,
    block: async () => (await import("./document-list.ts")).block,
    blocked: async () => (await import("./document-list.ts")).blocked,
    unblock: async () => (await import("./document-list.ts")).unblock,
  },
  run: async () => {
    throw new UsageError("Say what to do: idem document lint | block | blocked | unblock");
  },
};
