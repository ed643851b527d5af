import type { Box, GreyImage, Image, Imaging, Quad } from "./image.ts";
import type { PixelMemory } from "./pixel-memory.ts";
import { toGrey } from "./pixels.ts";
import { type Reduced, reduce, shrinkFactor } from "./warp.ts";

/**
 * Projective map of the unit square onto a quadrilateral: x = (a s + b t + c) / (g s + h t + 1), y likewise
 * with d, e, f.
 */
type Projection = {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
  readonly g: number;
  readonly h: number;
};

/** Heckbert, Fundamentals of Texture Mapping (1989), 2.2.3: square to quadrilateral in closed form. */
const projectionOf = ([topLeft, topRight, bottomRight, bottomLeft]: Quad): Projection => {
  const [x0, y0] = topLeft;
  const [x1, y1] = topRight;
  const [x2, y2] = bottomRight;
  const [x3, y3] = bottomLeft;
  const sumX = x0 - x1 + x2 - x3;
  const sumY = y0 - y1 + y2 - y3;
  const determinant = (x1 - x2) * (y3 - y2) - (x3 - x2) * (y1 - y2);
  const g = determinant === 0 ? 0 : (sumX * (y3 - y2) - (x3 - x2) * sumY) / determinant;
  const h = determinant === 0 ? 0 : ((x1 - x2) * sumY - sumX * (y1 - y2)) / determinant;
  return {
    a: x1 - x0 + g * x1,
    b: x3 - x0 + h * x3,
    c: x0,
    d: y1 - y0 + g * y1,
    e: y3 - y0 + h * y3,
    f: y0,
    g,
    h,
  };
};

const distance = (from: readonly [number, number], to: readonly [number, number]): number =>
  Math.hypot(from[0] - to[0], from[1] - to[1]);

/** Source pixels per target pixel, by the mean of the two longer sides' ratios. */
const scaleOf = (quad: Quad, width: number, height: number, margin: number): number => {
  const across = Math.max(distance(quad[0], quad[1]), distance(quad[3], quad[2]));
  const down = Math.max(distance(quad[0], quad[3]), distance(quad[1], quad[2]));
  return ((across / width + down / height) / 2) * (1 + 2 * margin);
};

/** Bounding box of the quadrilateral with its margin: the part of the image to read. */
const footprint = (quad: Quad, margin: number): Box => {
  const xs = quad.map(([x]) => x);
  const ys = quad.map(([, y]) => y);
  const width = Math.max(...xs) - Math.min(...xs);
  const height = Math.max(...ys) - Math.min(...ys);
  // A strong perspective stretches the margin. Twice its share covers it, and beyond it the border repeats.
  const padX = width * margin * 2;
  const padY = height * margin * 2;
  return {
    x: Math.min(...xs) - padX,
    y: Math.min(...ys) - padY,
    width: width + 2 * padX,
    height: height + 2 * padY,
  };
};

const makeReduceFor =
  (memory: PixelMemory) =>
  (image: Image, quad: Quad, width: number, height: number, margin: number): Reduced =>
    reduce(image, footprint(quad, margin), shrinkFactor(scaleOf(quad, width, height, margin)), memory);

/**
 * Rectifies a quadrilateral to an upright image of the given size, bilinear, averaged over boxes when
 * shrinking. Corners are in pixel-centre coordinates. They map to the outer edge of the target, or, with
 * `margin` m, of its inner 1 / (1 + 2m). Beyond the image its border repeats.
 */
export const makeRectify = (memory: PixelMemory): Imaging["rectify"] => {
  const reduceFor = makeReduceFor(memory);
  return (image, quad, width, height, margin = 0) => {
    const reduced = reduceFor(image, quad, width, height, margin);
    const data = memory.bytes(width * height * 3);
    const rowAt = makeRowAt(quad, reduced, width, height, margin);
    for (let v = 0; v < height; v++) sampleRow(data, v * width * 3, width, reduced.image, rowAt(v));
    return { width, height, data };
  };
};

/** Like `makeRectify`, in luma. */
export const makeRectifyGrey = (memory: PixelMemory): Imaging["rectifyGrey"] => {
  const reduceFor = makeReduceFor(memory);
  return (image, quad, width, height, margin = 0) => {
    const reduced = reduceFor(image, quad, width, height, margin);
    const grey = toGrey(reduced.image, memory);
    const data = memory.bytes(width * height);
    const rowAt = makeRowAt(quad, reduced, width, height, margin);
    for (let v = 0; v < height; v++) sampleGreyRow(data, v * width, width, grey, rowAt(v));
    return { width, height, data };
  };
};

/** Homogeneous source coordinates of a row's first target pixel, and the step per pixel. */
type Row = {
  readonly x: number;
  readonly y: number;
  readonly w: number;
  readonly stepX: number;
  readonly stepY: number;
  readonly stepW: number;
};

/** Makes the function that gives row `v` of the target in the pixels of the reduced image. */
const makeRowAt = (
  quad: Quad,
  { factor, originX, originY }: Reduced,
  width: number,
  height: number,
  margin: number,
): ((v: number) => Row) => {
  const { a, b, c, d, e, f, g, h } = projectionOf(quad);
  const span = 1 + 2 * margin;
  const stepS = span / width;
  const s = 0.5 * stepS - margin;
  const stepX = ((a - originX * g) * stepS) / factor;
  const stepY = ((d - originY * g) * stepS) / factor;
  const stepW = g * stepS;
  return (v) => {
    const t = ((v + 0.5) * span) / height - margin;
    const w = g * s + h * t + 1;
    const x = (a * s + b * t + c - originX * w) / factor;
    const y = (d * s + e * t + f - originY * w) / factor;
    return { x, y, w, stepX, stepY, stepW };
  };
};

const sampleRow = (target: Uint8Array, offset: number, count: number, image: Image, row: Row): void => {
  const { width, height, data } = image;
  const stride = width * 3;
  const { stepX, stepY, stepW } = row;
  let { x, y, w } = row;
  for (let out = offset, end = offset + count * 3; out < end; out += 3) {
    const inverse = 1 / w;
    const sourceX = Math.min(width - 1, Math.max(0, x * inverse));
    const sourceY = Math.min(height - 1, Math.max(0, y * inverse));
    const left = sourceX | 0;
    const top = sourceY | 0;
    const fx = sourceX - left;
    const fy = sourceY - top;
    const at = top * stride + left * 3;
    const right = left < width - 1 ? 3 : 0;
    const below = at + (top < height - 1 ? stride : 0);
    target[out] = between(data, at, below, right, fx, fy);
    target[out + 1] = between(data, at + 1, below + 1, right, fx, fy);
    target[out + 2] = between(data, at + 2, below + 2, right, fx, fy);
    x += stepX;
    y += stepY;
    w += stepW;
  }
};

const sampleGreyRow = (
  target: Uint8Array,
  offset: number,
  count: number,
  image: GreyImage,
  row: Row,
): void => {
  const { width, height, data } = image;
  const { stepX, stepY, stepW } = row;
  let { x, y, w } = row;
  for (let out = offset, end = offset + count; out < end; out++) {
    const inverse = 1 / w;
    const sourceX = Math.min(width - 1, Math.max(0, x * inverse));
    const sourceY = Math.min(height - 1, Math.max(0, y * inverse));
    const left = sourceX | 0;
    const top = sourceY | 0;
    const fx = sourceX - left;
    const fy = sourceY - top;
    const at = top * width + left;
    const right = left < width - 1 ? 1 : 0;
    const below = at + (top < height - 1 ? width : 0);
    target[out] = between(data, at, below, right, fx, fy);
    x += stepX;
    y += stepY;
    w += stepW;
  }
};

/** Bilinear interpolation, plus a half for rounding. */
const between = (
  data: Uint8Array,
  at: number,
  below: number,
  right: number,
  fx: number,
  fy: number,
): number => {
  const upper = data[at]! + fx * (data[at + right]! - data[at]!);
  const lower = data[below]! + fx * (data[below + right]! - data[below]!);
  return upper + fy * (lower - upper) + 0.5;
};
