import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openEngine, readEngineFiles } from "#app/engine";
import { readConfig } from "#machine/config/config";
import { readOutlines, write } from "#sandbox/specimen/lettering";
import { lineManifestOf } from "#support/models/small-models";
import { lineNetwork } from "#support/networks/small-networks";
import { imaging } from "./harness/images.ts";
import { runIdem } from "./harness/run-idem.ts";
import { type Harness, makeHarness } from "./harness/service.ts";

let harness: Harness;
beforeEach(async () => {
  harness = await makeHarness();
  await mkdir(harness.directory, { recursive: true });
});
afterEach(() => harness.clear());

const idem = (...args: readonly string[]) => runIdem(["models", ...args], { IDEM_DATA: harness.directory });

const bring = async (bytes: Uint8Array) => {
  const [file, manifest] = [join(harness.directory, "own.onnx"), join(harness.directory, "own.json")];
  await writeFile(file, bytes);
  await writeFile(manifest, JSON.stringify(lineManifestOf(bytes)));
  return await idem("add", "--file", file, "--manifest", manifest, "--accept");
};

/** The reading of an image by the service's own threads, and the networks that the record names. */
const readWithService = async (image: Uint8Array) => {
  const config = readConfig({ IDEM_DATA: harness.directory, IDEM_WORKERS: "1" });
  const { document, pool } = openEngine(config, await readEngineFiles(config), () => undefined);
  try {
    await pool.ready;
    const { front } = await document.read({ front: image }, {});
    return { lines: front.lines.map(({ text }) => text), models: document.models };
  } finally {
    await pool.close();
  }
};

it("reads printed text from the next start on, is named in the record, and gives way to the bundled network again", async () => {
  const page = { width: 900, height: 567, data: new Uint8Array(900 * 567 * 3).fill(240) };
  const { sans } = readOutlines();
  write(page, sans, "ARTIFICIAL DOCUMENT", { x: 40, baseline: 150, emPx: 50, colour: [200, 0, 0] });
  const image = await imaging.encodeJpeg(page, 95);
  const bytes = lineNetwork();
  const { name, sha256 } = lineManifestOf(bytes);
  expect((await bring(bytes)).code).toBe(0);
  const before = await readWithService(image);
  expect(before.lines).toEqual(["ARTIFICIAL DOCUMENT"]);
  expect((await idem("use", name)).code).toBe(0);
  const after = await readWithService(image);
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
  expect(await readWithService(image)).toEqual(before);
});
