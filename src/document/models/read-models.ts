import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type { DocumentModel } from "./document-model.ts";
import { lintModel } from "./lint-model.ts";

/** Models by what they read: a country's own, and those for every country. */
export type DocumentModels = {
  readonly national: readonly DocumentModel[];
  readonly generic: readonly DocumentModel[];
};

const catalogue = new URL("./catalogue/", import.meta.url);

/** Reads every model of the catalogue, in the order of their names. Throws with each problem's file and place. */
export const readDocumentModels = (folder: URL = catalogue): DocumentModels => {
  const files = readdirSync(fileURLToPath(folder))
    .filter((name) => name.endsWith(".yaml"))
    .sort();
  const models = files.map((name) => readModel(folder, name));
  const twice = models.find(({ id }, i) => models.findIndex((other) => other.id === id) !== i);
  if (twice !== undefined) {
    throw new Error(`Two document models are called ${twice.id}`);
  }
  return {
    national: models.filter(({ country }) => country !== "*"),
    generic: models.filter(({ country }) => country === "*"),
  };
};

const readModel = (folder: URL, name: string): DocumentModel => {
  const { model, problems } = lintModel(readFileSync(new URL(name, folder), "utf8"), name);
  if (model === undefined) {
    throw new Error(`The document model ${name} cannot be used:\n${problems.join("\n")}`);
  }
  return model;
};
