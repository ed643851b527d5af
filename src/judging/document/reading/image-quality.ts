import type { FileFacts, GreyImage, Image } from "#machine/imaging/image";
import type { ImageQuality } from "./reading.ts";

/** Share of the pixels, with the strongest gradient, that measure the sharpness. */
const edgeShare = 0.02;
const blownOut = 250;

/**
 * Measures an upright image (the rectified card, or the whole frame when no card was located). `grey` and
 * `image` show the same image at a working size of about 1000 pixels. Sharpness is comparable only at the
 * same working size.
 */
export const measureQuality = (file: FileFacts, image: Image, grey: GreyImage): ImageQuality => ({
  width: file.width,
  height: file.height,
  sharpness: sharpnessOf(grey),
  overexposedShare: overexposedShareOf(image),
  brightness: meanOf(grey),
  ...(file.jpegQuality === undefined ? {} : { jpegQuality: file.jpegQuality }),
});

// Each loop below is a function for one row. The engine optimises a function after some calls, and a side is
// measured once: a loop over the whole image would run unoptimised in every reading (46 ms a side, not 19).

const meanOf = ({ width, height, data }: GreyImage): number => {
  let sum = 0;
  for (let y = 0; y < height; y++) sum += sumOf(data, y * width, (y + 1) * width);
  return data.length === 0 ? 0 : sum / data.length;
};

const sumOf = (data: Uint8Array, from: number, to: number): number => {
  let sum = 0;
  for (let i = from; i < to; i++) sum += data[i]!;
  return sum;
};

const overexposedShareOf = ({ width, height, data }: Image): number => {
  let blown = 0;
  for (let y = 0; y < height; y++) blown += countBlown(data, 3 * y * width, 3 * (y + 1) * width);
  return data.length === 0 ? 0 : (3 * blown) / data.length;
};

const countBlown = (data: Uint8Array, from: number, to: number): number => {
  let blown = 0;
  for (let i = from; i < to; i += 3) {
    if (data[i]! >= blownOut && data[i + 1]! >= blownOut && data[i + 2]! >= blownOut) blown++;
  }
  return blown;
};

/**
 * Second derivative over first derivative on the strongest edges. A step blurred by a Gaussian of width s has
 * a ratio that falls as 1/s, whatever its contrast. So text on a dark card and on a bright card compare. 0
 * for a uniform image.
 */
const sharpnessOf = (grey: GreyImage): number => {
  const edges = { threshold: Math.max(1, strongestSquare(grey)), first: 0, second: 0 };
  for (let y = 1; y < grey.height - 1; y++) addEdgesOfRow(edges, grey, y);
  return edges.first === 0 ? 0 : edges.second / edges.first;
};

/** Sums of the derivatives where the squared gradient reaches the threshold. */
type Edges = { readonly threshold: number; first: number; second: number };

const addEdgesOfRow = (edges: Edges, { data, width }: GreyImage, y: number): void => {
  const { threshold } = edges;
  for (let i = y * width + 1, end = (y + 1) * width - 1; i < end; i++) {
    const square = squaredGradientAt(data, width, i);
    if (square < threshold) continue;
    const across = data[i - 1]! + data[i + 1]! - 2 * data[i]!;
    const down = data[i - width]! + data[i + width]! - 2 * data[i]!;
    edges.first += Math.sqrt(square) / 2;
    edges.second += Math.sqrt(across * across + down * down);
  }
};

/** (2 |gradient|)² of a pixel inside the border, a whole number. */
const squaredGradientAt = (data: Uint8Array, width: number, i: number): number => {
  const across = data[i + 1]! - data[i - 1]!;
  const down = data[i + width]! - data[i - width]!;
  return across * across + down * down;
};

/**
 * The squared gradient at the quantile 1 − `edgeShare`; 0 counts for each pixel of the border. A histogram,
 * not a sort: sorting a million numbers takes 60 ms. The squares are computed again where they are used: to
 * keep them took 3 MB.
 */
const strongestSquare = (grey: GreyImage): number => {
  const { width, height } = grey;
  const counts = new Int32Array(2 * 255 * 255 + 1);
  for (let y = 1; y < height - 1; y++) countSquaresOfRow(counts, grey, y);
  counts[0]! += width * height - Math.max(0, width - 2) * Math.max(0, height - 2);
  const rank = Math.floor(width * height * (1 - edgeShare));
  let below = 0;
  let value = 0;
  while (value < counts.length - 1 && below + counts[value]! <= rank) {
    below += counts[value]!;
    value++;
  }
  return value;
};

const countSquaresOfRow = (counts: Int32Array, { data, width }: GreyImage, y: number): void => {
  for (let i = y * width + 1, end = (y + 1) * width - 1; i < end; i++) {
    counts[squaredGradientAt(data, width, i)]!++;
  }
};
