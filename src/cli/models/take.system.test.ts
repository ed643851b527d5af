import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { openModels } from "#app/models";
import { readConfig } from "#machine/config/config";
import type { Manifest } from "#machine/models/manifest";
import { manifestOf, openTestModels, smallNetwork } from "#support/models/small-models";
import { addModel } from "./take.ts";

let home: string;
beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "idem-take-"));
});
afterEach(async () => {
  vi.restoreAllMocks();
  await rm(home, { recursive: true });
});

/** Runs `idem models add` with a catalogue that knows only `known`; no test can download its file. */
const addKnown = async (known: Manifest, words: readonly string[]) => {
  const said: string[] = [];
  vi.spyOn(process.stderr, "write").mockImplementation((text) => said.push(String(text)) > 0);
  const config = readConfig({ IDEM_DATA: join(home, "data") });
  const models = { ...openModels(config), ...openTestModels(join(home, "data/models"), [known]) };
  const file = join(home, "network.onnx");
  await writeFile(file, smallNetwork);
  const code = await addModel(models, ["--file", file, "--accept", ...words]);
  return {
    code,
    said: said.join(""),
    installed: (await models.modelStore.list()).map(({ manifest }) => manifest),
  };
};

it("A file of the catalogue is installed with the catalogue's manifest, and the operator's manifest is reported as unused", async () => {
  const known = manifestOf(smallNetwork);
  const own = join(home, "own.json");
  await writeFile(own, JSON.stringify({ ...known, slot: "eye-state", licence: { weights: "MIT" } }));
  const added = await addKnown(known, ["--manifest", own]);
  expect(added).toMatchObject({ code: 0, installed: [known] });
  expect(added.said).toContain(
    `The catalogue knows this file by its SHA-256, as small: its own manifest holds, and nothing of ${own}.`,
  );
  expect((await addKnown(known, [])).said).not.toContain("its own manifest holds");
});

it("A file of the catalogue without a slot in this release is installed for a later release, without error", async () => {
  const known = manifestOf(smallNetwork, { slot: "eye-state" });
  const added = await addKnown(known, []);
  expect(added).toMatchObject({ code: 0, installed: [known] });
  expect(added.said).toMatch(/cannot use small: this release has no use yet for the slot eye-state/);
  expect(added.said).not.toContain("models remove");
});
