import { isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync, realpathSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import type { DocumentModel } from "./document-model.ts";
import { type LintedModel, lintModel } from "./lint-model.ts";
import { fileNameOf } from "./model-rules.ts";

/** Models by what they read: a country's own, and those for every country. */
export type DocumentModels = {
  readonly national: readonly DocumentModel[];
  readonly generic: readonly DocumentModel[];
};

/** What an operator added to the catalogue. */
export type OwnModels = {
  readonly ids: readonly string[];
  /** Of the files' texts, in the order of their names. */
  readonly sha256: string;
};

const catalogue = fileURLToPath(new URL("./catalogue/", import.meta.url));

/** Whether a model that ships is called so: every file of the catalogue is named by its id. */
const isShipped = (id: string): boolean => existsSync(join(catalogue, fileNameOf(id)));

/** Reads every model of the catalogue, in the order of their names. Throws with each problem's file and place. */
export const readDocumentModels = (): DocumentModels =>
  byReach(readFolder(catalogue).map(({ model }) => model));

/**
 * The catalogue and, behind it, the models of an operator's folder. Throws with each problem's file and place, where the
 * folder holds no model, and where one has the id of a model of the catalogue.
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
 * Looks one file through as a start does that reads it from an operator's folder. A file in the catalogue's folder, by
 * whichever path, is the model that ships.
 */
export const lintModelFile = (path: string): LintedModel =>
  lookThrough(path, isInCatalogue(path) ? undefined : isShipped).linted;

const isInCatalogue = (path: string): boolean =>
  existsSync(path) && realpathSync(dirname(path)) === realpathSync(catalogue);

const byReach = (models: readonly DocumentModel[]): DocumentModels => ({
  national: models.filter(({ country }) => country !== "*"),
  generic: models.filter(({ country }) => country === "*"),
});

type ModelFile = { readonly text: string; readonly model: DocumentModel };

/** That files are named by their ids keeps two models of one folder from having the same. */
const readFolder = (folder: string, isTaken?: (id: string) => boolean): readonly ModelFile[] => {
  const problems: string[] = [];
  const files = readdirSync(folder)
    .sort()
    .flatMap((name): readonly ModelFile[] => {
      if (!/\.ya?ml$/i.test(name)) return [];
      const { text, linted } = lookThrough(join(folder, name), isTaken);
      problems.push(...linted.problems.map((problem) => `${name}: ${problem}`));
      return linted.model === undefined ? [] : [{ text, model: linted.model }];
    });
  if (problems.length > 0) {
    throw new Error(["These document models cannot be used:", ...problems].join("\n"));
  }
  return files;
};

type LookedThrough = { readonly text: string; readonly linted: LintedModel };

const refuse = (problem: string): LookedThrough => ({
  text: "",
  linted: { problems: [`/: ${problem}`], notes: [] },
});

/** A file that cannot be read is one more problem, so that it hides none of the others'. */
const lookThrough = (path: string, isTaken?: (id: string) => boolean): LookedThrough => {
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
