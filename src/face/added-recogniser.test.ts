import { describe, expect, it } from "vitest";
import { ledger } from "../inference/ledger.ts";
import { openNetworks } from "../inference/networks.ts";
import { trialDims } from "../models/judge-fit.ts";
import { findRecogniserSpec, findUnserved } from "../models/serve-slot.ts";
import {
  manifestOf,
  recogniserManifest,
  smallNetwork,
  smallRecogniser,
} from "../models/testing/small-models.ts";
import { compareEmbeddings, packEmbedding, unpackEmbedding } from "./added-recogniser.ts";
import { makeMeasureFace } from "./measure-face.ts";
import { unpackTemplate } from "./template.ts";
import { openFaceEngine, pictureOf, readCohort } from "./testing/pictures.ts";

const { imaging } = openFaceEngine();
const { name, sha256: hash } = recogniserManifest;
const file = { name, hash, read: () => smallRecogniser, trialDims: trialDims(recogniserManifest) };
const { networks, added } = openNetworks(ledger, undefined, [file]);
const recogniser = { ...added[0]!, spec: findRecogniserSpec(recogniserManifest)! };
const measure = makeMeasureFace({ imaging, networks, cohort: readCohort(), recogniser });

const describeFace = async (bytes: Uint8Array) => {
  const measured = await measure(bytes, { template: true });
  if (measured.kind !== "measured") throw new Error("The picture was not measured");
  return { measured, embedding: unpackEmbedding(measured.template!)! };
};

describe("a recogniser that is measured", () => {
  it("sees the face aligned: the same whatever its size and place, another for another person", async () => {
    const { measured, embedding } = await describeFace(pictureOf("franck_02159.jpg"));
    const opened = await imaging.open(pictureOf("franck_02159.jpg"));
    const part = imaging.crop(opened, { x: 60, y: 20, width: 600, height: 540 });
    const smaller = await imaging.encodeJpeg(await imaging.resize(part, 400, 360), 95);
    const again = await describeFace(smaller);
    const other = await describeFace(pictureOf("cage.jpg"));
    expect(compareEmbeddings(embedding, again.embedding)).toBeGreaterThan(0.98);
    expect(compareEmbeddings(embedding, other.embedding)).toBeLessThan(0.9);
    expect(measured.models).toMatchObject({ coarse: hash });
    expect(measured.models).not.toHaveProperty("faceres");
  });

  it("gives nothing that the product takes for a template of its own, or compares with another network's", async () => {
    const { measured, embedding } = await describeFace(pictureOf("franck_02159.jpg"));
    expect(unpackTemplate(measured.template!)).toBeUndefined();
    expect(unpackEmbedding(packEmbedding(embedding))).toEqual(embedding);
    expect(unpackEmbedding(measured.template!.subarray(0, 38))).toBeUndefined();
    expect(compareEmbeddings(embedding, { ...embedding, recogniser: "ab".repeat(32) })).toBeUndefined();
  });

  it("needs points, a square input and the length of its output, and is not put to use", () => {
    const { align: _, ...input } = recogniserManifest.input;
    expect(findRecogniserSpec({ ...recogniserManifest, input })).toBeUndefined();
    expect(findRecogniserSpec({ ...recogniserManifest, output: { kind: "embedding" } })).toBeUndefined();
    expect(findRecogniserSpec(manifestOf(smallNetwork))).toBeUndefined();
    expect(findUnserved(recogniserManifest)).toMatch(/can be measured/);
  });
});
