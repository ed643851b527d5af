import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Image } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { trialDims } from "#machine/models/judge-fit";
import type { Manifest } from "#machine/models/manifest";
import { findUnserved, textDetectorSpecOf } from "#machine/models/serve-slot";
import { ledger } from "#machine/networks/ledger";
import { readModelFiles } from "#machine/networks/model-files";
import { openNetworks } from "#machine/networks/networks";
import { readOutlines, write } from "#sandbox/specimen/lettering";
import { manifestOf, openTestModels } from "#support/models/small-models";
import { makeDetectText } from "./detect-text.ts";

const imaging = makeImaging({ limits: defaultImagingLimits });
let folder: string;
/** The bundled detector's file, in the role of a file that an operator adds. */
let bytes: Uint8Array;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "idem-text-"));
  [bytes = new Uint8Array()] = await readModelFiles(ledger["text-detector"]);
});
afterAll(() => rm(folder, { recursive: true }));

const manifestFor = (
  change: Partial<Manifest["input"]> = {},
  output: Partial<Manifest["output"]> = {},
): Manifest =>
  manifestOf(bytes, {
    name: "text",
    slot: "text-detector",
    input: {
      layout: "NCHW",
      shape: ["batch", 3, "height", "width"],
      channels: "RGB",
      mean: [0.485 * 255, 0.456 * 255, 0.406 * 255],
      scale: [1 / (0.229 * 255), 1 / (0.224 * 255), 1 / (0.225 * 255)],
      ...change,
    },
    output: { kind: "db", ...output },
  });

const drawText = (): Image => {
  const page = { width: 640, height: 320, data: new Uint8Array(640 * 320 * 3).fill(240) };
  const { sans } = readOutlines();
  write(page, sans, "ARTIFICIAL DOCUMENT", { x: 40, baseline: 90, emPx: 40, colour: [160, 20, 20] });
  write(page, sans, "SECOND LINE", { x: 40, baseline: 220, emPx: 40, colour: [160, 20, 20] });
  return page;
};

const detectWith = (manifest: Manifest | undefined) => {
  const files = manifest
    ? [{ name: "text", hash: manifest.sha256, read: () => bytes, trialDims: trialDims(manifest) }]
    : [];
  const { networks, added } = openNetworks(ledger, undefined, files);
  const detector = manifest && { ...added[0]!, spec: textDetectorSpecOf(manifest) };
  return makeDetectText(imaging, networks["text-detector"], detector)(drawText(), { longSide: 640 });
};

describe("an added text detector", () => {
  it("replaces the bundled one, with input as its manifest specifies", async () => {
    const bundled = await detectWith(undefined);
    expect(bundled.length).toBeGreaterThanOrEqual(2);
    expect(await detectWith(manifestFor())).toEqual(bundled);
    const blind = await detectWith(manifestFor({ mean: 127.5, scale: 0.0001 }));
    expect(blind).toEqual([]);
  });

  it("is imported when its map is as large as its input, and refused when it is not", async () => {
    const file = join(folder, "text.onnx");
    await writeFile(file, bytes);
    const models = openTestModels(join(folder, "models"));
    await expect(models.add(file, manifestFor())).resolves.toMatchObject({ manifest: { name: "text" } });
    const classes = manifestFor({}, { kind: "logits", size: 3, index: 1 });
    await expect(models.add(file, classes)).rejects.toThrow(/the manifest says 3 values/);
  });

  it("needs free sides and a map", () => {
    expect(findUnserved(manifestFor())).toBeUndefined();
    expect(findUnserved(manifestFor({ shape: [1, 3, 320, 320] }))).toMatch(/free sides/);
    expect(findUnserved(manifestFor({}, { kind: "ctc" }))).toMatch(/needs db/);
  });
});
