import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import { type DocumentModel, isDocumentModel } from "./document-model.ts";

/** Models of one country (`national`), and models for every country (`generic`). */
export type DocumentModels = {
  readonly national: readonly DocumentModel[];
  readonly generic: readonly DocumentModel[];
};

/** The folder of the models that ship. */
export const catalogue: string = fileURLToPath(new URL("./catalogue/", import.meta.url));

export const byReach = (models: readonly DocumentModel[]): DocumentModels => ({
  national: models.filter(({ country }) => country !== "*"),
  generic: models.filter(({ country }) => country === "*"),
});

/** SHA-256 of the names and texts of all files of a folder. */
export const hashOfFiles = (folder: string): string => {
  const hash = createHash("sha256");
  for (const name of readdirSync(folder).sort()) {
    hash
      .update(`${name}\0`)
      .update(readFileSync(join(folder, name)))
      .update("\0");
  }
  return hash.digest("hex");
};

/** The file that `npm run golden` makes of the catalogue. */
export const generated: string = fileURLToPath(new URL("./catalogue.generated.json", import.meta.url));

/** `sha256` is the hash of the catalogue's files, `modelsSha256` that of the models as they stand here. */
const shippedFile = makeCheck(
  Type.Object({ sha256: Type.String(), modelsSha256: Type.String(), models: Type.Array(Type.Unknown()) }),
);

const hashOfModels = (models: readonly unknown[]): string =>
  createHash("sha256").update(JSON.stringify(models)).digest("hex");

/** The catalogue in one file: its models in the order of their names, with both hashes. */
export const writeShippedModels = (folder: string, models: readonly DocumentModel[]): string =>
  `${JSON.stringify({ sha256: hashOfFiles(folder), modelsSha256: hashOfModels(models), models })}\n`;

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
};

/**
 * The models of a folder, from the file that `npm run golden` makes of them: YAML would take a tenth of a
 * second of processor time from each start. Undefined where the file is missing, broken, changed, or of
 * another catalogue than the folder: then `readDocumentModels` reads and checks the folder.
 */
export const findShippedModels = (folder: string, file: string): DocumentModels | undefined => {
  const shipped = existsSync(file) ? parse(readFileSync(file, "utf8")) : undefined;
  if (!shippedFile.Check(shipped)) return undefined;
  const { sha256, modelsSha256, models } = shipped;
  if (sha256 !== hashOfFiles(folder) || modelsSha256 !== hashOfModels(models)) return undefined;
  return models.every(isDocumentModel) ? byReach(models) : undefined;
};
