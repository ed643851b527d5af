import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, it } from "vitest";
import { openEngine, readEngineFiles } from "#app/engine";
import { readConfig } from "#machine/config/config";
import { cornersManifestOf } from "#support/models/small-models";
import { cornersNetwork } from "#support/networks/small-networks";
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

/** A light card on a dark ground; the network misses its corners by a few pixels. */
const drawSheet = () => {
  const [width, height] = [1000, 700];
  const data = new Uint8Array(width * height * 3).fill(60);
  for (let y = 440; y < 642; y++) data.fill(220, (y * width + 520) * 3, (y * width + 840) * 3);
  return { width, height, data };
};
const said = [
  [0.523, 0.632],
  [0.837, 0.632],
  [0.837, 0.914],
  [0.523, 0.914],
] as const;

it("locates the card from added corners and image edges, and the record names the network", async () => {
  const bytes = cornersNetwork(said);
  const described = cornersManifestOf(bytes);
  const [file, manifest] = [join(harness.directory, "own.onnx"), join(harness.directory, "own.json")];
  await writeFile(file, bytes);
  await writeFile(manifest, JSON.stringify(described));
  expect((await idem("add", "--file", file, "--manifest", manifest, "--accept")).code).toBe(0);
  expect((await idem("use", "corners")).code).toBe(0);
  expect((await idem("list")).stdout).toMatch(/\ncorners +1 +document-corners +in use/);
  expect((await idem("verify")).stdout).toMatch(/^ok +corners/);
  const config = readConfig({ IDEM_DATA: harness.directory, IDEM_WORKERS: "1" });
  const { document, pool } = openEngine(config, await readEngineFiles(config), () => undefined);
  try {
    await pool.ready;
    const card = await pool.run("locateCard", { bytes: await imaging.encodeJpeg(drawSheet(), 95) });
    const corners = [
      [520, 440],
      [840, 440],
      [840, 642],
      [520, 642],
    ] as const;
    for (const [i, [x, y]] of corners.entries()) {
      expect(Math.hypot(card!.quad[i]![0] - x, card!.quad[i]![1] - y)).toBeLessThan(3);
    }
    expect(document.models).toMatchObject({ "corners@1": described.sha256 });
    expect(document.models).toHaveProperty("card-finder");
  } finally {
    await pool.close();
  }
});
