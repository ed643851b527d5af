import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { byReach, catalogue, type DocumentModels, writeShippedModels } from "./catalogue.ts";
import type { DocumentModel } from "./document-model.ts";
import { type LintedModel, lintModel } from "./lint-model.ts";
import { fileNameOf } from "./model-rules.ts";

/** The models that an operator added to the catalogue. */
export type OwnModels = {
  readonly ids: readonly string[];
  /** SHA-256 of the files' texts, in the order of their names. */
  readonly sha256: string;
};

/** Whether a shipped model has this id: every file of the catalogue is named by its id. */
const isShipped = (id: string): boolean => existsSync(join(catalogue, fileNameOf(id)));

/**
 * Reads every model of the catalogue, in the order of their names. Throws an Error with each problem's file
 * and place.
 */
export const readDocumentModels = (): DocumentModels =>
  byReach(readFolder(catalogue).map(({ model }) => model));

/** The text of `catalogue.generated.json`. */
export const writeShippedCatalogue = (): string =>
  writeShippedModels(
    catalogue,
    readFolder(catalogue).map(({ model }) => model),
  );

/**
 * Reads the catalogue and, after it, the models of an operator's folder. Throws an Error with each problem's
 * file and place, where the folder has no model, and where a model has the id of one of the catalogue.
 */
export const readModelsWith = (folder: string): DocumentModels & { readonly own: OwnModels } => {
  const shipped = readFolder(catalogue);
  const own = readFolder(folder, isShipped);
  if (own.length === 0) throw new Error("holds no document model: their files end in .yaml");
  const hash = createHash("sha256");
  for (const { text } of own) hash.update(text).update("\0");
  return {
    ...byReach([...shipped, ...own].map(({ model }) => model)),
    own: { ids: own.map(({ model }) => model.id), sha256: hash.digest("hex") },
  };
};

/**
 * Checks one file in the same way as the service checks an operator's folder at its start. A file in the
 * catalogue's folder, by any path, is the shipped model.
 */
export const lintModelFile = (path: string): LintedModel =>
  lintFile(path, isInCatalogue(path) ? undefined : isShipped).linted;

const isInCatalogue = (path: string): boolean =>
  existsSync(path) && realpathSync(dirname(path)) === realpathSync(catalogue);

type ModelFile = { readonly text: string; readonly model: DocumentModel };

/** Files are named by their ids, so two models of one folder never share an id. */
const readFolder = (folder: string, isTaken?: (id: string) => boolean): readonly ModelFile[] => {
  const problems: string[] = [];
  const files = readdirSync(folder)
    .sort()
    .flatMap((name): readonly ModelFile[] => {
      if (!/\.ya?ml$/i.test(name)) return [];
      const { text, linted } = lintFile(join(folder, name), isTaken);
      problems.push(...linted.problems.map((problem) => `${name}: ${problem}`));
      return linted.model === undefined ? [] : [{ text, model: linted.model }];
    });
  if (problems.length > 0) {
    throw new Error(["These document models cannot be used:", ...problems].join("\n"));
  }
  return files;
};

type ReadModelFile = { readonly text: string; readonly linted: LintedModel };

const refuse = (problem: string): ReadModelFile => ({
  text: "",
  linted: { problems: [`/: ${problem}`], notes: [] },
});

/** An unreadable file is one more problem, and does not hide the problems of other files. */
const lintFile = (path: string, isTaken?: (id: string) => boolean): ReadModelFile => {
  let bytes: Uint8Array;
  try {
    bytes = readFileSync(path);
  } catch (error) {
    const reason = error instanceof Error && "code" in error ? error.code : error;
    return refuse(`cannot be read (${String(reason)})`);
  }
  if (!isUtf8(bytes)) return refuse("is not UTF-8: save the file as UTF-8");
  const text = new TextDecoder().decode(bytes);
  return { text, linted: lintModel(text, basename(path), isTaken) };
};
