import type { EyeCentres } from "#judging/face/motion/levelling";
import { usualFace } from "#judging/face/motion/usual-face.generated";
import type { GreyImage, Point } from "#machine/imaging/image";

/** Lengths of a scene are eye distances: about 6.3 cm. Right, down, towards the camera. */
type Place = readonly [x: number, y: number, z: number];

/** A thing with a face on it: the place in space of each point of a photograph of the face. */
export type Thing = (x: number, y: number) => Place;

/**
 * How a thing stands before the camera: degrees to the right side of the image and downwards, and its
 * distance.
 */
export type Pose = {
  readonly yaw: number;
  readonly pitch: number;
  readonly roll?: number;
  readonly distance?: number;
  readonly shift?: Point;
  /** Factor of the brightness of this frame. */
  readonly exposure?: number;
};

/** A frame with what a landmark network without errors would return for it. */
export type SceneFrame = {
  readonly image: GreyImage;
  readonly eyes: EyeCentres;
  readonly landmarks: readonly Point[];
};

const [width, height, focalPx] = [240, 240, 450] as const;
/** 45 cm. */
const usualDistance = 7.1;

/** A smooth head through the usual face, `relief` times as high; beyond the face it falls off. */
export const makeHead =
  (relief = 1): Thing =>
  (x, y) => [x, y, relief * heightAt(x, y)];

export const flatSheet: Thing = (x, y) => [x, y, 0];

/** Bent about an upright axis as round a tin of this radius. */
export const bentSheet =
  (radius: number): Thing =>
  (x, y) => [radius * Math.sin(x / radius), y, radius * (Math.cos(x / radius) - 1)];

/** Bent about a level axis. */
export const rolledSheet =
  (radius: number): Thing =>
  (x, y) => [x, radius * Math.sin(y / radius), radius * (Math.cos(y / radius) - 1)];

/** Folded along the nose by this angle on either side. */
export const foldedSheet =
  (degrees: number): Thing =>
  (x, y) => {
    const angle = (degrees * Math.PI) / 180;
    return [x * Math.cos(angle), y, -Math.abs(x) * Math.sin(angle)];
  };

/**
 * A table of heights over a grid, by the landmarks around each point (Gaussian weights), bilinear between.
 */
function makeHeights(): (x: number, y: number) => number {
  const [side, cell, start] = [64, 0.06, -1.9] as const;
  const table = new Float64Array(side * side);
  for (let i = 0; i < table.length; i++) {
    const [x, y] = [start + cell * (i % side), start + 0.4 + cell * Math.floor(i / side)];
    let [sum, weights, nearest] = [0, 1e-12, 9];
    for (const [u, v, z] of usualFace) {
      const squared = (u - x) ** 2 + (v - y) ** 2;
      const weight = Math.exp(-squared / (2 * 0.07 ** 2));
      sum += weight * z;
      weights += weight;
      nearest = Math.min(nearest, squared);
    }
    table[i] = nearest < 0.15 ** 2 ? sum / weights : -0.9;
  }
  return (x, y) => {
    const [u, v] = [clamp((x - start) / cell, side - 1.001), clamp((y - start - 0.4) / cell, side - 1.001)];
    const [i, j] = [Math.floor(u), Math.floor(v)];
    const at = (di: number, dj: number) => table[(j + dj) * side + i + di]!;
    const upper = at(0, 0) * (1 - u + i) + at(1, 0) * (u - i);
    return upper * (1 - v + j) + (at(0, 1) * (1 - u + i) + at(1, 1) * (u - i)) * (v - j);
  };
}

const heightAt = makeHeights();

const clamp = (value: number, most: number): number => Math.min(most, Math.max(0, value));

/** Grey of the photograph at a point: patterns of several sizes, as brows, pores and shadows are. */
const textureAt = (x: number, y: number): number =>
  130 + 45 * noise(5 * x, 5 * y, 1) + 35 * noise(13 * x, 13 * y, 2) + 20 * noise(30 * x, 30 * y, 3);

/** Smooth noise, -1 to 1, with one random value for each whole place. */
const noise = (x: number, y: number, seed: number): number => {
  const [i, j] = [Math.floor(x), Math.floor(y)];
  const [u, v] = [smooth(x - i), smooth(y - j)];
  const upper = randomAt(i, j, seed) * (1 - u) + randomAt(i + 1, j, seed) * u;
  return upper * (1 - v) + (randomAt(i, j + 1, seed) * (1 - u) + randomAt(i + 1, j + 1, seed) * u) * v;
};

const smooth = (share: number): number => share * share * (3 - 2 * share);

const randomAt = (i: number, j: number, seed: number): number => {
  let bits = Math.imul(i, 0x27d4eb2f) ^ Math.imul(j, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  bits = Math.imul(bits ^ (bits >>> 15), 0x85ebca6b);
  bits = Math.imul(bits ^ (bits >>> 13), 0xc2b2ae35);
  return ((bits ^ (bits >>> 16)) >>> 0) / 2 ** 31 - 1;
};

/** The axis of a rotation lies this far behind the eyes, as in a neck. */
const axisBehind = 1.2;

/** Place in the image, and distance from the camera. */
const makeProject = ({ yaw, pitch, roll = 0, distance = usualDistance, shift = [0, 0] }: Pose) => {
  const [cosA, cosB, cosC] = [yaw, pitch, roll].map((degrees) => Math.cos(radians(degrees)));
  const [sinA, sinB, sinC] = [yaw, pitch, roll].map((degrees) => Math.sin(radians(degrees)));
  return ([x, y, z]: Place): Place => {
    const behind = z + axisBehind;
    const [x1, z1] = [x * cosA! + behind * sinA!, behind * cosA! - x * sinA!];
    const [y2, z2] = [y * cosB! + z1 * sinB!, z1 * cosB! - y * sinB!];
    const [x3, y3] = [x1 * cosC! - y2 * sinC!, x1 * sinC! + y2 * cosC!];
    const away = distance - (z2 - axisBehind);
    const [u, v] = [(focalPx * (x3 + shift[0])) / away, (focalPx * (y3 - 0.35 + shift[1])) / away];
    return [width / 2 + u, height / 2 + v, away];
  };
};

/**
 * Samples of the photograph: step and first sample in eye distances, and how many across and down. About half
 * a pixel apart.
 */
const grid = { step: 0.008, x: -1.4, y: -1.1, across: 350, down: 375 } as const;

/** Their grey. It is the same in every frame. */
const photograph = Float32Array.from({ length: grid.across * grid.down }, (_, k) => textureAt(...pointOf(k)));

function pointOf(k: number): Point {
  return [grid.x + grid.step * (k % grid.across), grid.y + grid.step * Math.floor(k / grid.across)];
}

/** A sample farther than this behind the nearest one of its pixel is hidden. */
const hiddenBehind = 0.12;
const wallGrey = 90;

/** The frame that a pinhole camera takes of a thing, on a grey wall. */
export const drawFrame = (thing: Thing, pose: Pose): SceneFrame => {
  const project = makeProject(pose);
  const pixels = new Int32Array(photograph.length).fill(-1);
  const distances = new Float32Array(photograph.length);
  const nearest = new Float32Array(width * height).fill(Number.POSITIVE_INFINITY);
  for (let k = 0; k < photograph.length; k++) {
    const [u, v, away] = project(thing(...pointOf(k)));
    const [i, j] = [Math.round(u), Math.round(v)];
    if (i < 0 || j < 0 || i >= width || j >= height) continue;
    const pixel = j * width + i;
    pixels[k] = pixel;
    distances[k] = away;
    nearest[pixel] = Math.min(nearest[pixel]!, away);
  }
  const [sums, counts] = [new Float64Array(width * height), new Float64Array(width * height)];
  for (const [k, pixel] of pixels.entries()) {
    if (pixel < 0 || distances[k]! > nearest[pixel]! + hiddenBehind) continue;
    sums[pixel]! += photograph[k]!;
    counts[pixel]! += 1;
  }
  const exposure = pose.exposure ?? 1;
  const greyAt = (sum: number, i: number): number => (counts[i]! > 0 ? sum / counts[i]! : wallGrey);
  const data = Uint8Array.from(sums, (sum, i) => Math.min(255, exposure * greyAt(sum, i)));
  const landmarks = usualFace.map(([x, y]): Point => {
    const [u, v] = project(thing(x, y));
    return [u, v];
  });
  return { image: { width, height, data }, eyes: eyesOf(landmarks), landmarks };
};

const eyesOf = (landmarks: readonly Point[]): EyeCentres => {
  const middle = (indices: readonly number[]): Point => [
    indices.reduce((sum, i) => sum + landmarks[i]![0], 0) / indices.length,
    indices.reduce((sum, i) => sum + landmarks[i]![1], 0) / indices.length,
  ];
  return [middle([33, 133, 159, 145]), middle([263, 362, 386, 374])];
};

const radians = (degrees: number): number => (degrees * Math.PI) / 180;
