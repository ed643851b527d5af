import { mkdir, mkdtemp, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { afterEach, beforeEach, expect, it } from "vitest";
import { lintModelFile, readDocumentModels, readModelsWith } from "./read-models.ts";

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

it("reads an operator's models beside the shipped ones, and names them", async () => {
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

it("refuses the id of a shipped model, and a folder without models", async () => {
  expect(() => readModelsWith(folder)).toThrow("holds no document model");
  await put("pan-id-2023.yaml", { ...card, id: "PAN-ID-2023", country: "PAN" });
  expect(() => readModelsWith(folder)).toThrow(
    "pan-id-2023.yaml: /id: a model that ships is called PAN-ID-2023",
  );
});

it("reports a file that is not UTF-8 or cannot be read, beside the problems of the others", async () => {
  const latin = Buffer.from(JSON.stringify({ ...card, title: "Cédula" }), "latin1");
  await writeFile(join(folder, "xxa-id-2020.yaml"), latin);
  await mkdir(join(folder, "xxa-id-2021.yaml"));
  await put("xxa-id-2022.yaml", { ...card, id: "XXA-ID-2022", size: "A4" });
  const read = () => readModelsWith(folder);
  expect(read).toThrow("xxa-id-2020.yaml: /: is not UTF-8: save the file as UTF-8");
  expect(read).toThrow("xxa-id-2021.yaml: /: cannot be read (EISDIR)");
  expect(read).toThrow("xxa-id-2022.yaml: /size: must be one of");
  expect(lintModelFile(join(folder, "xxa-id-2020.yaml")).problems).toEqual([
    "/: is not UTF-8: save the file as UTF-8",
  ]);
  expect(lintModelFile(join(folder, "away.yaml")).problems).toEqual(["/: cannot be read (ENOENT)"]);
});

it("reports the id of a shipped model beside all other problems, at the start and in the lint", async () => {
  await put("pan-id-2023.yaml", { ...card, id: "PAN-ID-2023", country: "PAN", size: "A4" });
  const { problems } = lintModelFile(join(folder, "pan-id-2023.yaml"));
  expect(problems).toHaveLength(2);
  expect(problems.join("\n")).toContain("/size: must be one of");
  expect(problems).toContain("/id: a model that ships is called PAN-ID-2023: give yours an id of its own");
  for (const problem of problems) {
    expect(() => readModelsWith(folder)).toThrow(`pan-id-2023.yaml: ${problem}`);
  }
});

it("accepts a file of the catalogue by any path, and refuses a link to it in another folder", async () => {
  const catalogue = fileURLToPath(new URL("catalogue", import.meta.url));
  await symlink(catalogue, join(folder, "linked"));
  expect(lintModelFile(join(folder, "linked", "per-ce.yaml")).problems).toEqual([]);
  await symlink(join(catalogue, "per-ce.yaml"), join(folder, "per-ce.yaml"));
  expect(lintModelFile(join(folder, "per-ce.yaml")).problems).toEqual([
    "/id: a model that ships is called PER-CE: give yours an id of its own",
  ]);
});
