import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import type { DocumentModel } from "./document-model.ts";
import { lintModel } from "./lint-model.ts";

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

/** Whether a model that ships is called so, and this is not its file. */
export const isTaken = (id: string, path: string): boolean => {
  const shipped = join(catalogue, `${id.toLowerCase()}.yaml`);
  return existsSync(shipped) && resolve(path) !== shipped;
};

/** Reads every model of the catalogue, in the order of their names. Throws with each problem's file and place. */
export const readDocumentModels = (): DocumentModels =>
  byReach(readFolder(catalogue).map(({ model }) => model));

/**
 * The catalogue and, behind it, the models of an operator's folder. Throws with each problem's file and place, where the
 * folder holds no model, and where one has the id of a model of the catalogue: two descriptions of one card name none.
 */
export const readModelsWith = (folder: string): DocumentModels & { readonly own: OwnModels } => {
  const shipped = readFolder(catalogue).map(({ model }) => model);
  const files = readFolder(folder);
  const own = files.map(({ model }) => model);
  const taken = own.filter(({ id }) => shipped.some((other) => other.id === id));
  if (own.length === 0) throw new Error("holds no document model: their files end in .yaml");
  if (taken.length > 0) {
    const problems = taken.map(
      ({ id }) => `${id.toLowerCase()}.yaml: /id: a model that ships is called ${id}`,
    );
    throw new Error(["Give these models an id of their own:", ...problems].join("\n"));
  }
  const hash = createHash("sha256");
  for (const { text } of files) hash.update(text).update("\0");
  return {
    ...byReach([...shipped, ...own]),
    own: { ids: own.map(({ id }) => id), sha256: hash.digest("hex") },
  };
};

const byReach = (models: readonly DocumentModel[]): DocumentModels => ({
  national: models.filter(({ country }) => country !== "*"),
  generic: models.filter(({ country }) => country === "*"),
});

type ModelFile = { readonly text: string; readonly model: DocumentModel };

/** That files are named by their ids keeps two models of one folder from having the same. */
const readFolder = (folder: string): readonly ModelFile[] => {
  const problems: string[] = [];
  const files = readdirSync(folder)
    .sort()
    .flatMap((name): readonly ModelFile[] => {
      if (!/\.ya?ml$/i.test(name)) return [];
      const text = readFileSync(join(folder, name), "utf8");
      const { model, problems: found } = lintModel(text, name);
      problems.push(...found.map((problem) => `${name}: ${problem}`));
      return model === undefined ? [] : [{ text, model }];
    });
  if (problems.length > 0) {
    throw new Error(["These document models cannot be used:", ...problems].join("\n"));
  }
  return files;
};
