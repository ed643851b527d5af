import { lintModelFile } from "#judging/document/decision/models/read-models";
import { parseOptions, print, type Run, say, UsageError } from "../command.ts";

export const runLint: Run = async (args) => {
  const { positionals } = parseOptions(args, {}, true);
  if (positionals.length === 0) {
    throw new UsageError("Name a file: idem document lint FILE");
  }
  let isSound = true;
  for (const path of positionals) {
    isSound = lintFile(path) && isSound;
  }
  return isSound ? 0 : 1;
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
