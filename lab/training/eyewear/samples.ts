/**
 * Describes generated faces with and without eyewear, for `fit.ts`:
 *
 * ORT_DISABLE_TELEMETRY=1 node lab/training/eyewear/samples.ts SINGLES COLLAGES OUT [SEED]
 *
 * Writes OUT/samples.json and OUT/samples.f32 (1024 values per sample: the descriptor as in templates,
 * centred, unit length). Takes about half an hour on one core.
 */
import { mkdir, writeFile } from "node:fs/promises";
import path from "node:path";
import { seededRandom } from "../../../src/contract/statistics/random.ts";
import { distance } from "../../../src/judging/face/engine/geometry.ts";
import { type Mesh, meshCenter, meshIndex } from "../../../src/judging/face/engine/mesh.ts";
import { measureQuality } from "../../../src/judging/face/engine/quality.ts";
import { centredFaceres } from "../../../src/judging/face/matching/template.ts";
import type { Image } from "../../../src/machine/imaging/image.ts";
import { makeImaging } from "../../../src/machine/imaging/imaging.ts";
import { defaultImagingLimits } from "../../../src/machine/imaging/limits.ts";
import { makeMeasureFace } from "../faces/measure-face.ts";
import { drawEyewear } from "./draw-eyewear.ts";
import { labelOf } from "./labels.ts";
import type { Sample } from "./sample.ts";
import { inventStyle } from "./style.ts";
import { readTiles } from "./tiles.ts";
import { worsen } from "./worsen.ts";

/** Collages repeat images: a face this similar to an earlier one is the same face. */
const sameImage = 0.9;
/** Below this, labeller and engine may have seen different faces. */
const presenceMin = 0.5;
/** Degraded copies of a face with glasses: there are ten faces without glasses for each. */
const copiesOfEyewear = 4;

const [singles, collages, out, seed = "1"] = process.argv.slice(2);
if (singles === undefined || collages === undefined || out === undefined) {
  console.error("usage: node lab/training/eyewear/samples.ts SINGLES COLLAGES OUT [SEED]");
  process.exit(2);
}

const imaging = makeImaging({ limits: defaultImagingLimits });
const measureFace = makeMeasureFace(imaging);
const random = seededRandom(Number(seed));

type Seen = {
  readonly image: Image;
  readonly mesh: Mesh;
  readonly vector: Float32Array;
  readonly eyeToSkin: number;
};

const see = async (imageFile: Image): Promise<Seen | undefined> => {
  const seen = await measureFace(imageFile);
  if (seen === undefined || seen.mesh.presence < presenceMin) return undefined;
  const { image, mesh, aligned, embedding } = seen;
  return { image, mesh, vector: centredFaceres(embedding), eyeToSkin: measureQuality(aligned).eyeToSkin };
};

const eyesApart = ({ mesh }: Seen): number =>
  distance(meshCenter(mesh, meshIndex.rightEye), meshCenter(mesh, meshIndex.leftEye));

const samples: Sample[] = [];
const vectors: Float32Array[] = [];
const keep = (seen: Seen | undefined, sample: Omit<Sample, "eyeToSkin">): void => {
  if (seen === undefined) return;
  samples.push({ ...sample, eyeToSkin: Number(seen.eyeToSkin.toFixed(4)) });
  vectors.push(seen.vector);
};

const keepWorse = async (image: Image, px: number, sample: Omit<Sample, "eyeToSkin" | "isWorse">) =>
  keep(await see(await worsen(imaging, image, px, random)), { ...sample, isWorse: true });

const distinct: Float32Array[] = [];
const isKnown = (vector: Float32Array): boolean =>
  distinct.some((other) => other.reduce((sum, value, i) => sum + value * vector[i]!, 0) > sameImage);

const describeTile = async (name: string, image: Image): Promise<void> => {
  const label = labelOf(name);
  const seen = label === "skip" ? undefined : await see(image);
  if (label === "skip" || seen === undefined || isKnown(seen.vector)) return;
  const face = distinct.push(seen.vector);
  const px = eyesApart(seen);
  keep(seen, { face, label, isDrawn: false, isWorse: false });
  const copies = label === "none" ? 1 : copiesOfEyewear;
  for (let copy = 0; copy < copies; copy++) {
    await keepWorse(seen.image, px, { face, label, isDrawn: false });
  }
  if (label !== "none") return;
  for (const [kind, drawn] of [
    ["clear", "eye"],
    ["dark", "sun"],
  ] as const) {
    const worn = drawEyewear(seen.image, seen.mesh, inventStyle(random, kind));
    const isWorse = random() < 0.6;
    if (isWorse) await keepWorse(worn, px, { face, label: drawn, isDrawn: true });
    else keep(await see(worn), { face, label: drawn, isDrawn: true, isWorse: false });
  }
};

for await (const { name, image } of readTiles(imaging, singles, collages)) {
  await describeTile(name, image);
  if (random() < 0.01) console.log(`${samples.length} samples of ${distinct.length} faces`);
}
await mkdir(out, { recursive: true });
await writeFile(path.join(out, "samples.json"), JSON.stringify(samples));
await writeFile(
  path.join(out, "samples.f32"),
  Buffer.concat(vectors.map((vector) => new Uint8Array(vector.buffer))),
);
console.log(`${samples.length} samples of ${distinct.length} faces`);
