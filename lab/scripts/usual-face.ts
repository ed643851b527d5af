/**
 * Writes src/judging/face/motion/usual-face.generated.ts: the mean place of each of FaceMesh's 468 landmarks
 * over drawn faces that look straight at the camera. Usage: node lab/scripts/usual-face.ts [FACES]
 */
import { writeFile } from "node:fs/promises";
import { endWithHelp } from "../../scripts/help.ts";
import { makeDetector } from "../../src/judging/face/engine/detector.ts";
import { makeFindFaces } from "../../src/judging/face/engine/find-faces.ts";
import { type Mesh, type MeshPoint, makeFitMesh, meshIndex } from "../../src/judging/face/engine/mesh.ts";
import { makeImaging } from "../../src/machine/imaging/imaging.ts";
import { defaultImagingLimits } from "../../src/machine/imaging/limits.ts";
import { ledger } from "../../src/machine/networks/ledger.ts";
import { openNetworks } from "../../src/machine/networks/networks.ts";
import { personAt } from "../../src/sandbox/persons/persons.ts";
import { drawPortrait } from "../../src/sandbox/specimen/drawn-person.ts";
import { expose } from "../../src/sandbox/specimen/photograph.ts";

endWithHelp(import.meta.filename);

const count = Number(process.argv[2] ?? 24);
const file = new URL("../../src/judging/face/motion/usual-face.generated.ts", import.meta.url);

const imaging = makeImaging({ limits: defaultImagingLimits });
const { networks } = openNetworks(ledger);
const findFaces = makeFindFaces({
  detect: makeDetector(imaging, networks.blazeface, undefined),
  fitMesh: makeFitMesh(imaging, networks.facemesh),
});

const middleOf = ({ points }: Mesh, indices: readonly number[]): MeshPoint => {
  const sum = (axis: 0 | 1 | 2): number => indices.reduce((total, i) => total + points[i]![axis], 0);
  return [sum(0) / indices.length, sum(1) / indices.length, sum(2) / indices.length];
};

/**
 * Place of each landmark about the middle of the eyes, in distances between the eyes: right, down, towards
 * the camera.
 */
const placesOf = (mesh: Mesh): readonly MeshPoint[] => {
  const [right, left] = [middleOf(mesh, meshIndex.rightEye), middleOf(mesh, meshIndex.leftEye)];
  const [across, down] = [left[0] - right[0], left[1] - right[1]];
  const squared = across ** 2 + down ** 2;
  return mesh.points.map((point) => {
    const [x, y, z] = [0, 1, 2].map((axis) => point[axis]! - (right[axis]! + left[axis]!) / 2);
    return [
      (across * x! + down * y!) / squared,
      (across * y! - down * x!) / squared,
      -z! / Math.sqrt(squared),
    ];
  });
};

const found: (readonly MeshPoint[])[] = [];
for (let index = 2; found.length < count; index++) {
  const { face, gender } = personAt("ECU", index);
  if (face.kind !== "drawn") continue;
  const image = drawPortrait(face.seed, gender, { width: 168, height: 216 });
  const search = await findFaces(expose(image, { noise: 1.5, blurPx: 0, falloff: 0.9, seed: index }));
  const mesh = search.faces[0]?.mesh;
  if (mesh !== undefined && mesh.presence > 0.9) found.push(placesOf(mesh));
}

const meanOf = (i: number, axis: number): number =>
  found.reduce((sum, places) => sum + places[i]![axis]!, 0) / found.length;
const rows = found[0]!.map((_, i) => {
  const place = [0, 1, 2].map((axis) => Number(meanOf(i, axis).toFixed(3)));
  return `[${place.join(", ")}]`;
});
const lines = Array.from({ length: 78 }, (_, line) => rows.slice(6 * line, 6 * line + 6).join(", "));
await writeFile(
  file,
  `// Written by lab/scripts/usual-face.ts: the mean of what FaceMesh (MODELS.md) gives for ${count} faces of
// src/sandbox/specimen/drawn-person.ts. Do not edit.

/** A landmark about the middle of the eyes, in eye distances. */
type UsualPlace = readonly [right: number, down: number, height: number];

/** The usual place of each FaceMesh landmark in a face that looks straight at the camera. */
// biome-ignore format: six landmarks a line, where the formatter would write 468 lines
export const usualFace: readonly UsualPlace[] = [
${lines.map((line) => `  ${line},`).join("\n")}
];
`,
);
