import type { Heads } from "./network.ts";

export type Point = readonly [x: number, y: number];

/** A face in pixels of the input. Left and right are the person's own. */
export type Face = {
  readonly score: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly rightEye: Point;
  readonly leftEye: Point;
  readonly nose: Point;
  readonly mouth: Point;
  readonly rightEar: Point;
  readonly leftEar: Point;
};

type Candidate = { readonly score: number; readonly values: Float32Array };

const valuesPerAnchor = 16;
/** As the service's first round (src/judging/face/engine/find-faces.ts). */
const scoreMin = 0.5;
/** Candidates that overlap more are one face; .3 is MediaPipe's own. */
const overlapMax = 0.3;
/** A frame with more faces is refused anyhow. */
const facesMax = 4;

const sigmoid = (x: number): number => 1 / (1 + Math.exp(-x));

/**
 * Candidates of one grid with box and points in pixels: centre x, centre y, width, height, then six points.
 */
const readGrid = (
  scores: Float32Array,
  boxes: Float32Array,
  width: number,
  stride: number,
): readonly Candidate[] => {
  const across = width / stride;
  const perCell = stride === 16 ? 2 : 6;
  const found: Candidate[] = [];
  for (const [i, logit] of scores.entries()) {
    const score = sigmoid(logit);
    if (score < scoreMin) continue;
    const cell = Math.floor(i / perCell);
    const centre = [stride * ((cell % across) + 0.5), stride * (Math.floor(cell / across) + 0.5)];
    const values = boxes.slice(i * valuesPerAnchor, (i + 1) * valuesPerAnchor);
    for (let k = 0; k < valuesPerAnchor; k++) {
      if (k !== 2 && k !== 3) values[k] = values[k]! + centre[k % 2]!;
    }
    found.push({ score, values });
  }
  return found;
};

const overlap = (a: Float32Array, b: Float32Array): number => {
  const shared = (k: 0 | 1): number =>
    Math.max(
      0,
      Math.min(a[k]! + a[k + 2]! / 2, b[k]! + b[k + 2]! / 2) -
        Math.max(a[k]! - a[k + 2]! / 2, b[k]! - b[k + 2]! / 2),
    );
  const both = shared(0) * shared(1);
  return both / (a[2]! * a[3]! + b[2]! * b[3]! - both);
};

/** The mean of candidates that overlap, weighted by their scores, as MediaPipe does. */
const average = (cluster: readonly Candidate[]): Candidate => {
  const total = cluster.reduce((sum, { score }) => sum + score, 0);
  const values = Float32Array.from({ length: valuesPerAnchor }, (_, k) =>
    cluster.reduce((sum, one) => sum + (one.score * one.values[k]!) / total, 0),
  );
  return { score: cluster[0]!.score, values };
};

const faceOf = ({ score, values }: Candidate): Face => {
  const [x = 0, y = 0, width = 0, height = 0] = values;
  const at = (k: number): Point => [values[4 + 2 * k]!, values[5 + 2 * k]!];
  return {
    score,
    x: x - width / 2,
    y: y - height / 2,
    width,
    height,
    rightEye: at(0),
    leftEye: at(1),
    nose: at(2),
    mouth: at(3),
    rightEar: at(4),
    leftEar: at(5),
  };
};

/** Faces by size, the widest first. `width` is that of the network's input. */
export const findFaces = (heads: Heads, width: number): readonly Face[] => {
  const candidates = [
    ...readGrid(heads.scores16, heads.boxes16, width, 16),
    ...readGrid(heads.scores32, heads.boxes32, width, 32),
  ].toSorted((a, b) => b.score - a.score);
  const clusters: Candidate[][] = [];
  for (const candidate of candidates) {
    const near = clusters.find(([head]) => overlap(head!.values, candidate.values) > overlapMax);
    if (near === undefined) clusters.push([candidate]);
    else near.push(candidate);
  }
  return clusters
    .map((cluster) => faceOf(average(cluster)))
    .toSorted((a, b) => b.width - a.width)
    .slice(0, facesMax);
};
