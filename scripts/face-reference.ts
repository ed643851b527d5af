/**
 * Makes src/face/matching/reference.generated.ts and models/face-cohort.bin from a folder of pictures of people who do not
 * exist; the hash that it prints goes into the ledger:
 *
 *   ORT_DISABLE_TELEMETRY=1 node scripts/face-reference.ts DIR
 *
 * The committed files were made from 500 tiles of the collages of SFHQ (github.com/SelfishGene/SFHQ-dataset, MIT,
 * generated faces). Kept are the mean vector, four numbers and the descriptors of the distinct faces: no picture.
 */
import { createHash } from "node:crypto";
import { readdir, readFile, writeFile } from "node:fs/promises";
import path from "node:path";
import { makeDetect } from "../src/face/engine/detection.ts";
import { detectionLimits } from "../src/face/engine/detector.ts";
import { makeFindFaces } from "../src/face/engine/find-faces.ts";
import { makeFitMesh } from "../src/face/engine/mesh.ts";
import { alignFace, type Embedding, makeEmbed, unitVector } from "../src/face/engine/recognition.ts";
import { packCohort } from "../src/face/matching/cohort.ts";
import { referenceIdOf } from "../src/face/matching/reference.ts";
import { makeImaging } from "../src/imaging/imaging.ts";
import { defaultImagingLimits } from "../src/imaging/limits.ts";
import { ledger } from "../src/inference/ledger.ts";
import { modelHashes } from "../src/inference/model-files.ts";
import { openNetworks } from "../src/inference/networks.ts";

/** Two tiles of one generated face: the collages repeat a few (456 of 500 are distinct). */
const sameFace = { dlib: 0.97, faceres: 0.7 };
/** The service judges adults; children's faces are more alike than theirs and would widen the deviations. */
const adultYears = 16;

const dot = (a: Float32Array, b: Float32Array): number => a.reduce((sum, value, i) => sum + value * b[i]!, 0);

const embedAll = async (folder: string): Promise<readonly Embedding[]> => {
  const imaging = makeImaging({ limits: defaultImagingLimits });
  const { networks } = openNetworks(ledger);
  const find = makeFindFaces({
    detect: makeDetect(imaging, networks.blazeface, detectionLimits),
    fitMesh: makeFitMesh(imaging, networks.facemesh),
    turn: imaging.turn,
  });
  const embed = makeEmbed(imaging, networks["dlib-resnet"], networks.faceres);
  const embeddings: Embedding[] = [];
  for (const name of (await readdir(folder)).filter((file) => file.endsWith(".jpg")).toSorted()) {
    const { image, fill, faces } = await find(await imaging.open(await readFile(path.join(folder, name))));
    const mesh = faces[0]?.mesh;
    if (mesh !== undefined) {
      embeddings.push(await embed(image, mesh, fill, alignFace(imaging, image, mesh, fill)));
    }
  }
  return embeddings;
};

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
  console.error("usage: node scripts/face-reference.ts DIR");
  process.exit(2);
}
const embeddings = await embedAll(folder);
const mean = new Float32Array(1024);
for (const { faceres } of embeddings) {
  for (const [i, value] of faceres.entries()) mean[i]! += value / embeddings.length;
}
const faces: { dlib: Float32Array; faceres: Float32Array; ageYears: number }[] = [];
for (const { dlib, faceres, ageYears } of embeddings) {
  const centred = unitVector(faceres.map((value, i) => value - mean[i]!));
  const isKnown = faces.some(
    (face) => dot(face.dlib, dlib) > sameFace.dlib && dot(face.faceres, centred) > sameFace.faceres,
  );
  if (!isKnown) faces.push({ dlib, faceres: centred, ageYears });
}
const adults = faces.filter(({ ageYears }) => ageYears >= adultYears);
const pairs = adults.flatMap((a, i) => adults.slice(i + 1).map((b) => [a, b] as const));
const impostors = {
  dlib: spread(pairs.map(([a, b]) => dot(a.dlib, b.dlib))),
  faceres: spread(pairs.map(([a, b]) => dot(a.faceres, b.faceres))),
};
const meanBase64 = base64(mean);
const hashes = modelHashes(ledger);
const cohort = packCohort({
  recogniser: `${hashes["dlib-resnet"]}${hashes.faceres}${referenceIdOf(meanBase64)}`,
  faces,
});
await writeFile(new URL("../models/face-cohort.bin", import.meta.url), cohort);
await writeFile(
  new URL("../src/face/matching/reference.generated.ts", import.meta.url),
  `// Made by scripts/face-reference.ts from ${embeddings.length} pictures of people who do not exist (SFHQ, MIT);
// ${faces.length} distinct faces, ${adults.length} of them adult, ${pairs.length} pairs. Do not edit.

/** 1024 little-endian float32: mean of the summed faceres descriptor. */
export const centeringMeanBase64 =
  "${meanBase64}";

/** Cosine of pairs of different adults. */
export const impostors = ${JSON.stringify(impostors)};
`,
);
console.log(
  `${embeddings.length} pictures, ${faces.length} distinct faces, ${pairs.length} adult pairs`,
  impostors,
);
console.log(`cohort ${createHash("sha256").update(cohort).digest("hex")}`);
