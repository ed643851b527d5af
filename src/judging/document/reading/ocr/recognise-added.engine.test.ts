import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import type { Image } from "#machine/imaging/image";
import { makeImaging } from "#machine/imaging/imaging";
import { defaultImagingLimits } from "#machine/imaging/limits";
import { trialDims } from "#machine/models/judge-fit";
import type { Manifest } from "#machine/models/manifest";
import { textRecogniserSpecOf } from "#machine/models/serve-slot";
import { ledger } from "#machine/networks/ledger";
import type { Network, Tensor } from "#machine/networks/model";
import { openNetworks } from "#machine/networks/networks";
import { readOnnxFacts } from "#machine/networks/onnx-facts";
import { readOutlines, write } from "#sandbox/specimen/lettering";
import { lineManifestOf, openTestModels } from "#support/models/small-models";
import { lineNetwork } from "#support/networks/small-networks";
import { makeDetectText } from "./detect-text.ts";
import { makeTextReader } from "./read-text.ts";
import { type ColourStrip, makeRecogniseColour } from "./recognise-added.ts";
import { makeRecogniseLines } from "./recognise-lines.ts";

const bytes = lineNetwork();

const openLines = (channels: Manifest["input"]["channels"] = "RGB") => {
  const plain = lineManifestOf(bytes);
  const manifest = { ...plain, input: { ...plain.input, channels } };
  const file = { name: "lines", hash: manifest.sha256, read: () => bytes, trialDims: trialDims(manifest) };
  const { networks, added } = openNetworks(ledger, undefined, [file]);
  const spec = textRecogniserSpecOf(manifest, readOnnxFacts(bytes).metadata);
  return { networks, recogniser: { ...added[0]!, spec } };
};

const inks = { R: [250, 20, 20], B: [20, 20, 250], Ñ: [20, 250, 20], " ": [255, 255, 255] } as const;
type Ink = keyof typeof inks;

/** A strip of squares, each of one colour. */
const stripOf = (line: readonly Ink[], side: number): ColourStrip => {
  const colour = (place: 0 | 1 | 2) => ({
    width: line.length * side,
    height: side,
    data: Uint8Array.from(
      { length: line.length * side * side },
      (_, i) => inks[line[Math.floor((i / side) % line.length)]!][place],
    ),
  });
  return [colour(0), colour(1), colour(2)];
};

const lines: readonly (readonly Ink[])[] = [
  ["R", "B", " ", "B", "Ñ"],
  ["Ñ"],
  [" ", " "],
  ["B", " ", "B", " ", "R", "Ñ", "R", " ", "Ñ", "B"],
];

describe("an added text recogniser", () => {
  it("reads lines of every length and height, in their order", async () => {
    const recognise = makeRecogniseColour(openLines().recogniser);
    const read = await recognise(lines.map((line, i) => stripOf(line, 24 + 12 * i)));
    expect(read.map(({ text }) => text)).toEqual(["RBBÑ", "Ñ", "", "BBRÑRÑB"]);
    expect(read[0]!.confidence).toBeGreaterThan(0);
    expect(read[0]!.confidence).toBeLessThan(1);
    expect(read[2]!.confidence).toBe(0);
  });

  it("gets the colour channels in the order of its manifest", async () => {
    const recognise = makeRecogniseColour(openLines("BGR").recogniser);
    const read = await recognise([stripOf(["R", "B", "Ñ"], 48)]);
    expect(read.map(({ text }) => text)).toEqual(["BRÑ"]);
  });

  it("gets short lines with padding behind them, and long ones no longer than 40 times their height", async () => {
    const seen: (readonly number[])[] = [];
    const { recogniser } = openLines();
    const run: Network["run"] = async (input: Tensor) => {
      seen.push(input.dims);
      return await recogniser.run(input);
    };
    const recognise = makeRecogniseColour({ ...recogniser, run });
    await recognise([
      stripOf(["R"], 40),
      stripOf(
        Array.from({ length: 60 }, () => "B"),
        20,
      ),
    ]);
    expect(seen).toEqual([
      [1, 3, 48, 320],
      [1, 3, 48, 1920],
    ]);
  });

  it("is rejected when its output has another shape", async () => {
    const { spec, name, hash } = openLines().recogniser;
    const run: Network["run"] = async () => ({ y: { data: new Float32Array(8), dims: [1, 2, 4] } });
    const recognise = makeRecogniseColour({ name, hash, spec, run });
    await expect(recognise([stripOf(["R"], 48)])).rejects.toThrow(/answered 1x2x4 for 1x3x48x320/);
  });

  it("reads the printed lines of a side in place of the bundled one, with their positions", async () => {
    const page: Image = { width: 900, height: 400, data: new Uint8Array(900 * 400 * 3).fill(240) };
    const { sans } = readOutlines();
    write(page, sans, "ARTIFICIAL DOCUMENT", { x: 40, baseline: 110, emPx: 50, colour: [200, 0, 0] });
    write(page, sans, "SECOND LINE", { x: 300, baseline: 280, emPx: 50, colour: [0, 0, 200] });
    const imaging = makeImaging({ limits: defaultImagingLimits });
    const { networks, recogniser } = openLines();
    const parts = {
      imaging,
      detect: makeDetectText(imaging, networks["text-detector"]),
      recognise: makeRecogniseLines(networks["text-line"]),
    };
    const own = await makeTextReader(parts).readLines(page);
    const reader = makeTextReader({ ...parts, recogniseColour: makeRecogniseColour(recogniser) });
    const read = await reader.readLines(page);
    expect(own.map(({ text }) => text)).toEqual(["ARTIFICIAL DOCUMENT", "SECOND LINE"]);
    expect(read.map(({ text }) => text)).toEqual([
      expect.stringMatching(/^R+$/),
      expect.stringMatching(/^B+$/),
    ]);
    expect(read.map(({ box }) => box)).toEqual(own.map(({ box }) => box));
    await expect(reader.findRotation(page)).resolves.toBe(await makeTextReader(parts).findRotation(page));
  });
});

it("passes the examination that every added model must pass", async () => {
  const folder = await mkdtemp(join(tmpdir(), "idem-lines-"));
  try {
    const file = join(folder, "lines.onnx");
    await writeFile(file, bytes);
    const models = openTestModels(join(folder, "models"));
    await expect(models.add(file, lineManifestOf(bytes))).resolves.toMatchObject({
      manifest: { name: "lines" },
    });
  } finally {
    await rm(folder, { recursive: true });
  }
});
