import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { readConfig } from "../src/config.ts";
import { lineNetwork } from "../src/inference/testing/small-networks.ts";
import { lineManifestOf } from "../src/models/testing/small-models.ts";
import { openEngine, readEngineFiles } from "../src/open-engine.ts";
import { readOutlines, write } from "../src/specimen/lettering.ts";
import { imaging } from "./harness/pictures.ts";
import { type House, makeHouse, runIdem } from "./harness/service.ts";

vi.setConfig({ testTimeout: 300_000 });

let house: House;
beforeEach(async () => {
  house = await makeHouse();
  await mkdir(house.directory, { recursive: true });
});
afterEach(() => house.clear());

const idem = (...args: readonly string[]) => runIdem(["models", ...args], { IDEM_DATA: house.directory });

const bring = async (bytes: Uint8Array) => {
  const [file, manifest] = [join(house.directory, "own.onnx"), join(house.directory, "own.json")];
  await writeFile(file, bytes);
  await writeFile(manifest, JSON.stringify(lineManifestOf(bytes)));
  return await idem("add", "--file", file, "--manifest", manifest, "--accept");
};

/** What the service's own threads read on a picture, and the networks that they name for it. */
const readWithService = async (picture: Uint8Array) => {
  const config = readConfig({ IDEM_DATA: house.directory, IDEM_WORKERS: "1" });
  const { document, pool } = openEngine(config, await readEngineFiles(config), () => undefined);
  try {
    await pool.ready;
    const { front } = await document.read({ front: picture }, {});
    return { lines: front.lines.map(({ text }) => text), models: document.models };
  } finally {
    await pool.close();
  }
};

it("reads what is printed from the next start on, is named for it, and lets the bundled one read again", async () => {
  const page = { width: 900, height: 567, data: new Uint8Array(900 * 567 * 3).fill(240) };
  const { sans } = readOutlines();
  write(page, sans, "ARTIFICIAL DOCUMENT", { x: 40, baseline: 150, emPx: 50, colour: [200, 0, 0] });
  const picture = await imaging.encodeJpeg(page, 95);
  const bytes = lineNetwork();
  const { name, sha256 } = lineManifestOf(bytes);
  expect((await bring(bytes)).code).toBe(0);
  const before = await readWithService(picture);
  expect(before.lines).toEqual(["ARTIFICIAL DOCUMENT"]);
  expect((await idem("use", name)).code).toBe(0);
  const after = await readWithService(picture);
  expect(after.lines).toEqual([expect.stringMatching(/^R+$/)]);
  expect(after.models).toEqual({ ...before.models, "lines@1": sha256 });
  expect((await idem("list")).stdout).toMatch(/\nlines +1 +text-recogniser +in use/);
  expect((await idem("verify")).stdout).toMatch(/^ok +lines/);
  const refused = await bring(lineNetwork({ character: "R\nB" }));
  expect(refused.code).toBe(1);
  expect(refused.stderr).toContain(
    "lines is refused: its file lists 2 characters, with blank and space 4 classes; its output has 5",
  );
  expect((await idem("list")).stdout).toMatch(new RegExp(`\\nlines .* in use .* ${sha256.slice(0, 12)}`));
  expect((await idem("use", "--none", "text-recogniser")).code).toBe(0);
  expect(await readWithService(picture)).toEqual(before);
});
