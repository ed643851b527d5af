import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { readDocumentModels, readModelsWith } from "./read-models.ts";

const card = {
  id: "XXA-ID-2020",
  title: "Card",
  country: "XXA",
  type: "ID_CARD",
  size: "ID-1",
  sides: { front: "required", back: "required", sure: "O" },
  barcodes: [],
  fields: [],
  checks: [],
  identify: { words: [["REPUBLIC OF XXA"]], wordsMin: 1 },
};

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-models-"));
});
afterEach(() => rm(folder, { recursive: true }));

const put = (name: string, model: object) => writeFile(join(folder, name), JSON.stringify(model));

it("reads an operator's models beside those that ship, and names what it read", async () => {
  await put("xxa-id-2020.yaml", card);
  await put("xxb-id-2020.yaml", { ...card, id: "XXB-ID-2020", country: "*" });
  await writeFile(join(folder, "README.md"), "ours");
  const shipped = readDocumentModels();
  const { national, generic, own } = readModelsWith(folder);
  expect(national.slice(0, -1)).toEqual(shipped.national);
  expect(national.at(-1)).toMatchObject({ id: "XXA-ID-2020" });
  expect(generic.at(-1)).toMatchObject({ id: "XXB-ID-2020" });
  expect(own.ids).toEqual(["XXA-ID-2020", "XXB-ID-2020"]);
  await put("xxa-id-2020.yaml", { ...card, title: "Another" });
  expect(readModelsWith(folder).own.sha256).not.toBe(own.sha256);
});

it("refuses every broken file of the folder at once, with its place", async () => {
  await put("xxa-id-2020.yaml", { ...card, size: "A4" });
  await put("other.yaml", { ...card, id: "XXA-ID-2021" });
  await put("xxa-id-2022.yml", { ...card, id: "XXA-ID-2022" });
  await writeFile(join(folder, "xxa-id-2023.yaml"), "");
  const read = () => readModelsWith(folder);
  expect(read).toThrow("xxa-id-2020.yaml: /size: must be one of ID-1, ID-2, ID-3");
  expect(read).toThrow("other.yaml: /id: the file is called other.yaml, not xxa-id-2021.yaml");
  expect(read).toThrow("xxa-id-2022.yml: /id: the file is called xxa-id-2022.yml, not xxa-id-2022.yaml");
  expect(read).toThrow("xxa-id-2023.yaml: /: is empty");
});

it("refuses the id of a model that ships, and a folder that holds none", async () => {
  expect(() => readModelsWith(folder)).toThrow("holds no document model");
  await put("pan-id-2023.yaml", { ...card, id: "PAN-ID-2023", country: "PAN" });
  expect(() => readModelsWith(folder)).toThrow(
    "pan-id-2023.yaml: /id: a model that ships is called PAN-ID-2023",
  );
});
