import { describe, expect, it } from "vitest";
import { trialDims } from "#machine/models/judge-fit";
import { findRecogniserSpec, findUnserved } from "#machine/models/serve-slot";
import { ledger } from "#machine/networks/ledger";
import { openNetworks } from "#machine/networks/networks";
import { imageOf, openFaceEngine, readCohort } from "#support/face/images";
import { manifestOf, recogniserManifest, smallNetwork, smallRecogniser } from "#support/models/small-models";
import { cosinesOf } from "../matching/comparison.ts";
import { unpackSingle } from "../matching/single-template.ts";
import { unpackPair } from "../matching/template.ts";
import { nameRecogniser } from "./added-recogniser.ts";
import { makeMeasureFace } from "./measure-face.ts";

const { imaging } = openFaceEngine();
const { name, sha256: hash } = recogniserManifest;
const file = { name, hash, read: () => smallRecogniser, trialDims: trialDims(recogniserManifest) };
const { networks, added } = openNetworks(ledger, undefined, [file]);
const spec = findRecogniserSpec(recogniserManifest)!;
const recogniser = { ...added[0]!, spec, recogniser: nameRecogniser(hash, spec, networks.facemesh.hash) };
const measure = makeMeasureFace({ imaging, networks, cohort: readCohort(), recogniser });

const describeFace = async (bytes: Uint8Array) => {
  const measured = await measure(bytes, { template: true });
  if (measured.kind !== "measured") throw new Error("The image was not measured");
  return { measured, embedding: unpackSingle(measured.template!)! };
};

describe("an added recogniser", () => {
  it("receives the aligned face: the same for any size and place, another for another person", async () => {
    const { measured, embedding } = await describeFace(imageOf("franck_02159.jpg"));
    const opened = await imaging.open(imageOf("franck_02159.jpg"));
    const part = imaging.crop(opened, { x: 60, y: 20, width: 600, height: 540 });
    const smaller = await imaging.encodeJpeg(await imaging.resize(part, 400, 360), 95);
    const again = await describeFace(smaller);
    const other = await describeFace(imageOf("cage.jpg"));
    expect(cosinesOf(embedding, again.embedding)![0]).toBeGreaterThan(0.98);
    expect(cosinesOf(embedding, other.embedding)![0]).toBeLessThan(0.9);
    expect(measured.models).toMatchObject({ coarse: hash });
    expect(measured.models).not.toHaveProperty("faceres");
  });

  it("makes the template alone, while the bundled networks still estimate age and gender", async () => {
    const measured = await measure(imageOf("franck_02159.jpg"), { template: true, attributes: true });
    if (measured.kind !== "measured") throw new Error("The image was not measured");
    expect(unpackPair(measured.template!)).toBeUndefined();
    expect(unpackSingle(measured.template!)?.recogniser).toMatch(new RegExp(`^${hash}`));
    expect(measured.attributes?.ageYears).toBeGreaterThan(15);
    expect(Object.keys(measured.models)).toEqual(expect.arrayContaining(["coarse", "faceres"]));
    expect(measured.models).not.toHaveProperty("face-cohort");
  });

  it("is a different recogniser with another preparation of the face or another aligner", () => {
    const names = [
      nameRecogniser(hash, spec, "aa"),
      nameRecogniser(hash, spec, "bb"),
      nameRecogniser(hash, { ...spec, input: { ...spec.input, channels: "BGR" } }, "aa"),
      nameRecogniser(hash, { ...spec, align: spec.align.toReversed() }, "aa"),
    ];
    expect(new Set(names).size).toBe(4);
    expect(names[0]).toMatch(/^[0-9a-f]{80}$/);
  });

  it("needs points, a square input and the length of its output, which a gallery can hold", () => {
    const { align: _, ...input } = recogniserManifest.input;
    expect(findRecogniserSpec({ ...recogniserManifest, input })).toBeUndefined();
    expect(findRecogniserSpec({ ...recogniserManifest, output: { kind: "embedding" } })).toBeUndefined();
    expect(findRecogniserSpec(manifestOf(smallNetwork))).toBeUndefined();
    const output = { kind: "embedding", size: 2048 } as const;
    expect(findUnserved({ ...recogniserManifest, output })).toMatch(/output.size of 16 to 1152/);
    expect(findUnserved(recogniserManifest)).toBeUndefined();
  });
});
