import { appendFile, cp, mkdtemp, rename, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { catalogue, findShippedModels } from "./catalogue.ts";
import { readDocumentModels } from "./read-models.ts";

const copyCatalogue = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-catalogue-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(catalogue, folder, { recursive: true });
  return folder;
};

it("the generated file has the models of the catalogue, each whole and in its place", () => {
  expect(findShippedModels()).toEqual(readDocumentModels());
});

it("the generated file is not used for a folder with a changed or renamed file", async () => {
  const folder = await copyCatalogue();
  expect(findShippedModels(folder)).toBeDefined();
  await appendFile(join(folder, "chl-id-2013.yaml"), "# a comment\n");
  expect(findShippedModels(folder)).toBeUndefined();

  const other = await copyCatalogue();
  await rename(join(other, "chl-id-2013.yaml"), join(other, "chl-id-2012.yaml"));
  expect(findShippedModels(other)).toBeUndefined();
});
