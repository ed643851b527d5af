import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
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

const generated = new URL("./catalogue.generated.json", import.meta.url);

const shippedFile = makeCheck(Type.Object({ sha256: Type.String(), models: Type.Array(Type.Unknown()) }));

/**
 * The models that ship, from the file that `npm run golden` makes of them: YAML would take a tenth of a second of processor time from each start.
 * Undefined where the file is of another catalogue than the folder: then `readDocumentModels` reads and checks it.
 */
export const findShippedModels = (folder: string = catalogue): DocumentModels | undefined => {
  const file: unknown = JSON.parse(readFileSync(generated, "utf8"));
  if (!shippedFile.Check(file) || file.sha256 !== hashOfFiles(folder)) return undefined;
  return file.models.every(isDocumentModel) ? byReach(file.models) : undefined;
};
