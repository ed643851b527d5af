import { normalDeviate, seededRandom } from "#contract/statistics/random";
import type { Image, Point, Quad } from "#machine/imaging/image";
import { bilinear } from "./canvas.ts";
import { makeSmoothNoise } from "./smooth-noise.ts";

/**
 * Frame sizes of telephones and webcams in pixels, upright ones first: most images of persons are upright.
 */
export const cameraFrames = [
  [1080, 1440],
  [720, 1280],
  [960, 1280],
  [1080, 1920],
  [1280, 960],
  [1280, 720],
] as const;

/** Maps pixel (u, v) of a flat image to a scene and back. */
export type Homography = readonly [number, number, number, number, number, number, number, number];

/**
 * Projective map from the corners of a w × h image to a quadrilateral (Heckbert 1989, 2.2.3), inverted: scene
 * → image.
 */
export const backProjection = ([p0, p1, p2, p3]: Quad, width: number, height: number): Homography => {
  const sumX = p0[0] - p1[0] + p2[0] - p3[0];
  const sumY = p0[1] - p1[1] + p2[1] - p3[1];
  const [x1, y1, x2, y2] = [p1[0] - p2[0], p1[1] - p2[1], p3[0] - p2[0], p3[1] - p2[1]];
  const determinant = x1 * y2 - x2 * y1;
  const g = (sumX * y2 - x2 * sumY) / determinant;
  const h = (x1 * sumY - sumX * y1) / determinant;
  const a = p1[0] - p0[0] + g * p1[0];
  const b = p3[0] - p0[0] + h * p3[0];
  const d = p1[1] - p0[1] + g * p1[1];
  const e = p3[1] - p0[1] + h * p3[1];
  const [c, f] = p0;
  // The adjugate of [a b c; d e f; g h 1], divided by its last element.
  const last = a * e - b * d;
  return [
    ((e - f * h) * width) / last,
    ((c * h - b) * width) / last,
    ((b * f - c * e) * width) / last,
    ((f * g - d) * height) / last,
    ((a - c * g) * height) / last,
    ((c * d - a * f) * height) / last,
    (d * h - e * g) / last,
    (b * g - a * h) / last,
  ];
};

/**
 * Projects a flat image onto a scene with its corners at `quad`; samples 2 × 2 positions per pixel for smooth
 * edges. Changes the scene.
 */
export const lay = (scene: Image, flat: Image, quad: Quad): void => {
  const back = backProjection(quad, flat.width, flat.height);
  const xs = quad.map(([x]) => x);
  const ys = quad.map(([, y]) => y);
  const left = Math.max(0, Math.floor(Math.min(...xs)));
  const right = Math.min(scene.width - 1, Math.ceil(Math.max(...xs)));
  const bottom = Math.min(scene.height - 1, Math.ceil(Math.max(...ys)));
  for (let y = Math.max(0, Math.floor(Math.min(...ys))); y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      layPixel(scene, flat, back, x, y);
    }
  }
};

/**
 * Takes four samples a quarter pixel from the centre; samples beyond the flat image leave the scene
 * unchanged.
 */
const layPixel = (scene: Image, flat: Image, back: Homography, x: number, y: number): void => {
  let red = 0;
  let green = 0;
  let blue = 0;
  let inside = 0;
  for (let sample = 0; sample < 4; sample++) {
    const sceneX = x + 0.25 + (sample & 1) * 0.5;
    const sceneY = y + 0.25 + (sample >> 1) * 0.5;
    const w = back[6] * sceneX + back[7] * sceneY + 1;
    const u = (back[0] * sceneX + back[1] * sceneY + back[2]) / w;
    const v = (back[3] * sceneX + back[4] * sceneY + back[5]) / w;
    if (u >= 0 && v >= 0 && u < flat.width && v < flat.height) {
      inside++;
      red += bilinear(flat, u - 0.5, v - 0.5, 0);
      green += bilinear(flat, u - 0.5, v - 0.5, 1);
      blue += bilinear(flat, u - 0.5, v - 0.5, 2);
    }
  }
  if (inside > 0) {
    const at = (y * scene.width + x) * 3;
    const rest = 4 - inside;
    scene.data[at] = (red + scene.data[at]! * rest) / 4;
    scene.data[at + 1] = (green + scene.data[at + 1]! * rest) / 4;
    scene.data[at + 2] = (blue + scene.data[at + 2]! * rest) / 4;
  }
};

export type Exposure = {
  /** Standard deviation of the sensor's noise, of 255. */
  readonly noise: number;
  /** Blur of the lens as a box radius in pixels, applied twice. */
  readonly blurPx: number;
  /** Light at the dark side of the frame as a share of the bright side. */
  readonly falloff: number;
  readonly seed: number;
};

/** The effects of a hand-held camera on a scene: uneven light, a little blur, noise. */
export const expose = (scene: Image, { noise, blurPx, falloff, seed }: Exposure): Image => {
  const random = seededRandom(seed);
  const angle = random() * 2 * Math.PI;
  // The noise comes from a table: 6 million logarithms per image would take longer than all the rest.
  const grains = Float32Array.from({ length: 65_536 }, () => normalDeviate(random) * noise);
  const soft = blurPx > 0 ? boxBlur(boxBlur(scene, blurPx), blurPx) : scene;
  const data = new Uint8ClampedArray(soft.data.length);
  for (let y = 0; y < soft.height; y++) {
    for (let x = 0; x < soft.width; x++) {
      const along =
        ((x / soft.width - 0.5) * Math.cos(angle) + (y / soft.height - 0.5) * Math.sin(angle)) / 1.42 + 0.5;
      const light = falloff + (1 - falloff) * along;
      const at = (y * soft.width + x) * 3;
      const draw = (random() * 65_536) | 0;
      for (let channel = 0; channel < 3; channel++) {
        const grain = 0.8 * grains[draw]! + 0.6 * grains[(draw + 997 * (channel + 1)) & 65_535]!;
        data[at + channel] = soft.data[at + channel]! * light + grain;
      }
    }
  }
  return { width: soft.width, height: soft.height, data: new Uint8Array(data.buffer) };
};

/** Mean over (2 r + 1)², one direction after the other; the border repeats. */
export const boxBlur = (image: Image, radius: number): Image => blurDown(blurAcross(image, radius), radius);

const blurAcross = ({ width, height, data }: Image, radius: number): Image => {
  const blurred = new Uint8Array(data.length);
  for (let y = 0; y < height; y++) {
    for (let channel = 0; channel < 3; channel++) {
      blurLine(data, blurred, { start: y * width * 3 + channel, length: width, radius });
    }
  }
  return { width, height, data: blurred };
};

type Line = { readonly start: number; readonly length: number; readonly radius: number };

const blurLine = (from: Uint8Array, to: Uint8Array, { start, length, radius }: Line): void => {
  const at = (index: number): number => from[start + Math.min(length - 1, Math.max(0, index)) * 3]!;
  let sum = 0;
  for (let index = -radius; index <= radius; index++) {
    sum += at(index);
  }
  for (let index = 0; index < length; index++) {
    to[start + index * 3] = sum / (2 * radius + 1) + 0.5;
    sum += at(index + radius + 1) - at(index - radius);
  }
};

/** All columns at once, row after row: a processor reads rows faster than columns. */
const blurDown = ({ width, height, data }: Image, radius: number): Image => {
  const blurred = new Uint8Array(data.length);
  const row = width * 3;
  const startOf = (y: number): number => Math.min(height - 1, Math.max(0, y)) * row;
  const sums = new Int32Array(row);
  for (let y = -radius; y <= radius; y++) {
    const start = startOf(y);
    for (let x = 0; x < row; x++) sums[x]! += data[start + x]!;
  }
  for (let y = 0; y < height; y++) {
    const [entering, leaving] = [startOf(y + radius + 1), startOf(y - radius)];
    for (let x = 0; x < row; x++) {
      blurred[y * row + x] = sums[x]! / (2 * radius + 1) + 0.5;
      sums[x]! += data[entering + x]! - data[leaving + x]!;
    }
  }
  return { width, height, data: blurred };
};

/** A table of dark, grained wood. */
export const drawTable = (width: number, height: number, seed: number): Image => {
  const noise = makeSmoothNoise(seed);
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const grain = noise(x / 340, y / 14) * 0.6 + noise(x / 90, y / 4) * 0.4;
      const at = (y * width + x) * 3;
      data[at] = 74 + grain * 38;
      data[at + 1] = 52 + grain * 28;
      data[at + 2] = 38 + grain * 20;
    }
  }
  return { width, height, data };
};

/** A page photographed by hand from above: on a table, slightly rotated and in perspective. */
export const photographPage = (page: Image, seed: number): Image => {
  const random = seededRandom(seed);
  const scene = drawTable(1680, 1260, seed);
  const angle = (random() - 0.5) * 0.07;
  const scale = 0.95 + random() * 0.04;
  const corner = (sideX: number, sideY: number): Point => {
    const x = (sideX * page.width * scale) / 2;
    const y = (sideY * page.height * scale) / 2;
    const nearer = 1 + (random() - 0.5) * 0.03;
    return [
      840 + (x * Math.cos(angle) - y * Math.sin(angle)) * nearer,
      630 + (x * Math.sin(angle) + y * Math.cos(angle)) * nearer,
    ];
  };
  lay(scene, page, [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)]);
  return expose(scene, { noise: 2.5, blurPx: 1, falloff: 0.82, seed });
};
