import type { Affine, Box, Point } from "#machine/imaging/image";

/** Maps the target pixel (u, v) by an affine matrix to a place in the source image. */
export const applyAffine = (matrix: Affine, u: number, v: number): Point => {
  const [a, b, c, d, e, f] = matrix;
  return [a * u + b * v + c, d * u + e * v + f];
};

/**
 * Least-squares similarity (rotation, uniform scale, shift; never a mirror) from `target` points to `source`
 * points, in the form of `Imaging.warpAffine`. Needs at least two points. Umeyama 1991, closed 2-D form.
 */
export const fitSimilarity = (target: readonly Point[], source: readonly Point[]): Affine => {
  const [tx, ty] = centroid(target);
  const [sx, sy] = centroid(source);
  let cosine = 0;
  let sine = 0;
  let spread = 0;
  for (const [i, [x, y]] of target.entries()) {
    const [u, v] = source[i]!;
    cosine += (x - tx) * (u - sx) + (y - ty) * (v - sy);
    sine += (x - tx) * (v - sy) - (y - ty) * (u - sx);
    spread += (x - tx) ** 2 + (y - ty) ** 2;
  }
  const a = cosine / spread;
  const b = sine / spread;
  return [a, -b, sx - a * tx + b * ty, b, a, sy - b * tx - a * ty];
};

/**
 * Matrix of a square window of `sizePx` source pixels, rotated by `radians`, sampled to `side` x `side`
 * pixels.
 */
export const squareWindow = (center: Point, sizePx: number, radians: number, side: number): Affine => {
  const scale = sizePx / side;
  const cos = scale * Math.cos(radians);
  const sin = scale * Math.sin(radians);
  const half = (side - 1) / 2;
  return [cos, -sin, center[0] - (cos - sin) * half, sin, cos, center[1] - (sin + cos) * half];
};

export const centroid = (points: readonly Point[]): Point => {
  let x = 0;
  let y = 0;
  for (const point of points) {
    x += point[0];
    y += point[1];
  }
  return [x / points.length, y / points.length];
};

export const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

const overlapArea = (a: Box, b: Box): number => {
  const width = Math.min(a.x + a.width, b.x + b.width) - Math.max(a.x, b.x);
  const height = Math.min(a.y + a.height, b.y + b.height) - Math.max(a.y, b.y);
  return Math.max(0, width) * Math.max(0, height);
};

/** Intersection over union of two boxes, 0…1. */
export const intersectionOverUnion = (a: Box, b: Box): number => {
  const shared = overlapArea(a, b);
  return shared / (a.width * a.height + b.width * b.height - shared);
};

/** Intersection over the smaller box, 0…1: 1 if one box is inside the other. */
export const intersectionOverMinimum = (a: Box, b: Box): number =>
  overlapArea(a, b) / Math.min(a.width * a.height, b.width * b.height);
