/**
 * Writes src/judging/face/matching/reference.generated.ts from a folder of images of people who do not exist:
 *
 * ORT_DISABLE_TELEMETRY=1 node lab/training/faces/reference.ts DIR
 *
 * The committed file comes from 500 tiles of the collages of SFHQ (github.com/SelfishGene/SFHQ-dataset, MIT,
 * generated faces). Only the mean vector and four numbers are kept, no image. Another mean makes another
 * recogniser: afterwards run `cohort.ts`.
 */
import { writeFile } from "node:fs/promises";
import { adultYears } from "../../../src/evaluation/faces/blend-cohort.ts";
import { type Embedding, unitVector } from "../../../src/judging/face/engine/recognition.ts";
import { cosine } from "../../../src/judging/face/matching/fusion.ts";
import { makeImaging } from "../../../src/machine/imaging/imaging.ts";
import { defaultImagingLimits } from "../../../src/machine/imaging/limits.ts";
import { distinctFaces } from "./distinct.ts";
import { makeMeasureFace } from "./measure-face.ts";
import { readImages } from "./read-images.ts";

const spread = (values: readonly number[]) => {
  const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
  return { mean: Number(mean.toFixed(6)), deviation: Number(Math.sqrt(variance).toFixed(6)) };
};

const base64 = (vector: Float32Array): string => {
  const bytes = Buffer.alloc(4 * vector.length);
  for (const [i, value] of vector.entries()) bytes.writeFloatLE(value, 4 * i);
  return bytes.toString("base64");
};

const folder = process.argv[2];
if (folder === undefined) {
  console.error("usage: node lab/training/faces/reference.ts DIR");
  process.exit(2);
}
const imaging = makeImaging({ limits: defaultImagingLimits });
const see = makeMeasureFace(imaging);
const embeddings: Embedding[] = [];
for await (const { image } of readImages(imaging, folder)) {
  const seen = await see(image);
  if (seen !== undefined) embeddings.push(seen.embedding);
}
const mean = new Float32Array(1024);
for (const { faceres } of embeddings) {
  for (const [i, value] of faceres.entries()) mean[i]! += value / embeddings.length;
}
const faces = distinctFaces(
  embeddings.map(({ dlib, faceres, ageYears }) => ({
    dlib,
    faceres: unitVector(faceres.map((value, i) => value - mean[i]!)),
    ageYears,
  })),
);
const adults = faces.filter(({ ageYears }) => ageYears >= adultYears);
const pairs = adults.flatMap((a, i) => adults.slice(i + 1).map((b) => [a, b] as const));
const impostors = {
  dlib: spread(pairs.map(([a, b]) => cosine(a.dlib, b.dlib))),
  faceres: spread(pairs.map(([a, b]) => cosine(a.faceres, b.faceres))),
};
await writeFile(
  new URL("../../../src/judging/face/matching/reference.generated.ts", import.meta.url),
  `// Made by lab/training/faces/reference.ts from ${embeddings.length} pictures of people who do not exist (SFHQ, MIT);
// ${faces.length} distinct faces, ${adults.length} of them adult, ${pairs.length} pairs. Do not edit.

/** 1024 little-endian float32: mean of the summed faceres descriptor. */
export const centeringMeanBase64 =
  "${base64(mean)}";

/** Cosine of pairs of different adults. */
export const impostors = ${JSON.stringify(impostors)};
`,
);
console.log(
  `${embeddings.length} pictures, ${faces.length} distinct faces, ${pairs.length} adult pairs`,
  impostors,
);
