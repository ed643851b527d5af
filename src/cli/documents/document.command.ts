import type { Words } from "../kit/action.ts";
import { block, blocked, unblock } from "./document-list.command.ts";

const lint = {
  help: `Usage: idem document lint FILE...

Reads document models (YAML, docs/guides/extend/document-models.md) and prints every problem with its place in the file. The
service accepts the same files at its start. Notes are not problems: they name checks that are too uncertain to decline
a document. Exit code 1 where a file has problems.`,
  options: {},
  takes: true,
} as const satisfies Words;

export const document = {
  help: `Usage: idem document <command> [options]

lint                          check the file of a document model
block | blocked | unblock     documents known from fraud

Each has its own --help.`,
  topics: { lint, block, blocked, unblock },
} as const satisfies Words;
