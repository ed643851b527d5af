import { appendFile, cp, mkdtemp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { catalogue, findShippedModels, generated } from "./catalogue.ts";
import { readDocumentModels } from "./read-models.ts";

const copyCatalogue = async (): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), "idem-catalogue-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  await cp(catalogue, folder, { recursive: true });
  return folder;
};

it("the generated file has the models of the catalogue, each whole and in its place", () => {
  expect(findShippedModels(catalogue, generated)).toEqual(readDocumentModels());
});

it("the generated file is not used for a folder with a changed or renamed file", async () => {
  const folder = await copyCatalogue();
  expect(findShippedModels(folder, generated)).toBeDefined();
  await appendFile(join(folder, "chl-id-2013.yaml"), "# a comment\n");
  expect(findShippedModels(folder, generated)).toBeUndefined();

  const other = await copyCatalogue();
  await rename(join(other, "chl-id-2013.yaml"), join(other, "chl-id-2012.yaml"));
  expect(findShippedModels(other, generated)).toBeUndefined();
});

it.each([
  ["changed", (text: string) => text.replace('"AAMVA-DL"', '"AAMVA-DX"')],
  ["cut off", (text: string) => text.slice(0, 1000)],
  ["empty", () => ""],
])("a generated file that was %s is not used", async (_, damage) => {
  const file = join(await copyCatalogue(), "generated.json");
  const text = await readFile(generated, "utf8");
  await writeFile(file, damage(text));
  expect(await readFile(file, "utf8")).not.toBe(text);
  expect(findShippedModels(catalogue, file)).toBeUndefined();
});

it("a missing generated file is not used", () => {
  expect(findShippedModels(catalogue, "/none/catalogue.generated.json")).toBeUndefined();
});
