import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";
import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { writePageDetector } from "#machine/networks/conversion/page-detector";
import { ledger } from "#machine/networks/ledger";
import { readModelFiles } from "#machine/networks/model-files";
import { imageOf } from "#support/face/images";
import { sharedNetworks } from "#support/networks/shared-networks";
import { makeLook } from "../look/look.ts";
import { findFaces } from "./find-faces.ts";
import { makeNetwork } from "./network.ts";
import { planFloats } from "./plan.ts";
import { readWeights } from "./weights-file.ts";

const files = await readModelFiles(ledger.blazeface);
const file = writePageDetector(files);
const weights = readWeights(file);

const pixelsOf = async (name: string, width: number, height: number): Promise<Uint8Array> =>
  new Uint8Array(
    await sharp(imageOf(name)).resize(width, height, { fit: "contain" }).removeAlpha().raw().toBuffer(),
  );

const images = ["franck_02159.jpg", "audrey.jpg", "franck_03909.jpg"];

describe("the detector of the page", () => {
  it("has the weights of the ledger's file in half precision", () => {
    expect(planFloats).toBe(134_704);
    expect(file.length).toBe(5 + 2 * planFloats);
    expect(() => readWeights(file.subarray(1))).toThrow(RangeError);
    expect(() => readWeights(Uint8Array.of(...file.subarray(0, 4), 2, ...file.subarray(5)))).toThrow(
      RangeError,
    );
  });

  it.each(images)("computes what onnxruntime computes on %s", async (name) => {
    const pixels = await pixelsOf(name, 256, 256);
    const heads = makeNetwork(weights, 256, 256)(pixels);
    const input = Float32Array.from(pixels, (value) => value / 127.5 - 1);
    const { networks } = sharedNetworks();
    const outputs = Object.values(await networks.blazeface.run({ data: input, dims: [1, 256, 256, 3] }));
    for (const own of Object.values(heads)) {
      const other = outputs.find(({ data }) => data.length === own.length)!.data;
      const difference = own.reduce((most, value, i) => Math.max(most, Math.abs(value - other[i]!)), 0);
      expect(difference).toBeLessThan(0.02);
    }
  });

  it.each([
    [128, 128],
    [96, 128],
    [128, 96],
    [64, 128],
  ] as const)("finds the one face at %i x %i, where it is", async (width, height) => {
    for (const name of images) {
      const [whole] = findFaces(makeNetwork(weights, 256, 256)(await pixelsOf(name, 256, 256)), 256);
      const found = findFaces(
        makeNetwork(weights, width, height)(await pixelsOf(name, width, height)),
        width,
      );
      expect(found, name).toHaveLength(1);
      expect(found[0]!.rightEye[0]).toBeLessThan(found[0]!.leftEye[0]);
      if (width === height) expect(Math.abs(found[0]!.x / width - whole!.x / 256)).toBeLessThan(0.04);
    }
  });

  it("finds no face in a plain frame, and measures light and colour", () => {
    const rgba = new Uint8ClampedArray(256 * 192 * 4).fill(128);
    const answer = makeLook(file)({ kind: "face", frame: { width: 256, height: 192, rgba } });
    expect(answer).toEqual({ colour: 0, face: { faces: 0, frameMedian: 127 } });
  });
});

it("the built files keep their limit of 60 kB in gzip", () => {
  const packed = (name: string): number =>
    gzipSync(readFileSync(new URL(`../../api/widget/${name}`, import.meta.url)), { level: 9 }).length;
  expect(packed("idem.js")).toBeLessThan(60_000);
  expect(packed("worker.js")).toBeLessThan(10_000);
});
