import type { GreyImage } from "#machine/imaging/image";
import { acrossAt, type LineBand } from "./text-lines.ts";

/** A grey strip along a line of text, row by row, 8 bits. `u0` = the frame's u at its left edge. */
export type Strip = GreyImage & { readonly u0: number };

/**
 * Bilinear sample along a row: `x`, `y` of the first pixel, `c`, `s` the step from pixel to pixel. No tuples
 * in here: it runs for every pixel of every line, and destructuring them cost five times the sampling itself.
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

/**
 * Cuts the strip from `line.from` to `line.to`, `height` px high around the line, in the frame of direction
 * `angle`.
 */
export const cropLine = (image: GreyImage, angle: number, line: LineBand, height: number): Strip => {
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
