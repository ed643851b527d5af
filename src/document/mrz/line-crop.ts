import type { GreyImage } from "#imaging/image";
import { acrossAt, type TextLine } from "../text/text-lines.ts";

/** A grey strip along a line of text, row by row, 8 bits. `u0` = the frame's u at its left edge. */
export type Strip = GreyImage & { readonly u0: number };

/**
 * Bilinear sample along a row: `x`, `y` of the first pixel, `c`, `s` the step from pixel to pixel. No tuples in here:
 * every pixel of every line passes, and destructuring them cost five times the sampling itself.
 */
const sampleRow = (
  { data, width, height }: GreyImage,
  out: Uint8Array,
  at: number,
  count: number,
  x: number,
  y: number,
  c: number,
  s: number,
): void => {
  const right = width - 1.001;
  const bottom = height - 1.001;
  for (let i = 0; i < count; i++) {
    const px = Math.min(right, Math.max(0, x + i * c));
    const py = Math.min(bottom, Math.max(0, y + i * s));
    const x0 = px | 0;
    const y0 = py | 0;
    const j = y0 * width + x0;
    const k = j + width;
    const above = data[j]! + (data[j + 1]! - data[j]!) * (px - x0);
    const below = data[k]! + (data[k + 1]! - data[k]!) * (px - x0);
    out[at + i] = above + (below - above) * (py - y0) + 0.5;
  }
};

/** Cuts the strip from `line.from` to `line.to`, `height` px high around the line, in the frame of direction `angle`. */
export const cropLine = (image: GreyImage, angle: number, line: TextLine, height: number): Strip => {
  const width = Math.max(32, Math.round(line.to - line.from));
  const rows = Math.max(8, Math.round(height));
  const uc = (line.from + line.to) / 2;
  const vc = acrossAt(line, uc);
  const [x, y] = [uc * Math.cos(angle) - vc * Math.sin(angle), uc * Math.sin(angle) + vc * Math.cos(angle)];
  const [c, s] = [Math.cos(angle + line.tilt), Math.sin(angle + line.tilt)];
  const data = new Uint8Array(width * rows);
  for (let row = 0; row < rows; row++) {
    const [u, v] = [0.5 - width / 2, row + 0.5 - rows / 2];
    sampleRow(image, data, row * width, width, x + u * c - v * s - 0.5, y + u * s + v * c - 0.5, c, s);
  }
  return { width, height: rows, data, u0: uc - width / 2 };
};

/** Mean horizontal gradient of each row, smoothed over three rows. */
const inkProfile = ({ data, width, height }: GreyImage): Float32Array => {
  const raw = new Float32Array(height);
  for (let y = 0; y < height; y++) {
    let sum = 0;
    for (let i = y * width + 1; i < (y + 1) * width; i++) {
      sum += Math.abs(data[i]! - data[i - 1]!);
    }
    raw[y] = sum / width;
  }
  return raw.map((value, y) => ((raw[y - 1] ?? value) + 2 * value + (raw[y + 1] ?? value)) / 4);
};

/** Ink begins where the gradient rises over this share between a quiet row and the strongest. */
const inkShare = 0.28;
const quietQuantile = 0.12;

/** First and last row of the text in the middle of a strip; neighbouring lines are cut off at the valleys. */
export const inkRows = (strip: GreyImage): readonly [first: number, last: number] => {
  const profile = inkProfile(strip);
  const height = strip.height;
  const quiet = profile.toSorted()[Math.trunc(height * quietQuantile)]!;
  let [middle, peak] = [height >> 1, 0];
  for (let y = Math.trunc(height * 0.3); y < height * 0.7; y++) {
    if (profile[y]! > peak) {
      [peak, middle] = [profile[y]!, y];
    }
  }
  const level = quiet + (peak - quiet) * inkShare;
  let [first, last] = [middle, middle];
  while (first > 0 && profile[first - 1]! > level) first--;
  while (last < height - 1 && profile[last + 1]! > level) last++;
  return [first, last];
};
