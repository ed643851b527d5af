import { lintModelFile } from "#judging/document/decision/models/read-models";
import { print, say, UsageError } from "../command.ts";
import type { Work } from "../kit/action.ts";
import type { document } from "./document.command.ts";

export const lint: Work<(typeof document)["topics"]["lint"]> = async (_, paths) => {
  if (paths.length === 0) {
    throw new UsageError("Name a file: idem document lint FILE");
  }
  let isSound = true;
  for (const path of paths) {
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
