import type { Point, Quad } from "#machine/imaging/image";
import { acrossAt } from "../ocr/text-lines.ts";
import type { Hypothesis } from "./hypotheses.ts";
import type { QuarterRotation } from "./reading.ts";

/**
 * A reading direction to the nearest quarter. y points down, so text that runs downwards was rotated
 * clockwise.
 */
export const quarterRotationOf = (angle: number): QuarterRotation => {
  const quarters = Math.round(angle / (Math.PI / 2)) & 3;
  return quarters === 0 ? 0 : quarters === 1 ? 90 : quarters === 2 ? 180 : 270;
};

/**
 * Corners of the rows of a reading in image pixels; `scale` = pixels of the given image per pixel of the
 * working image.
 */
export const quadOf = ({ rows, mrz }: Hypothesis, scale: number): Quad => {
  const [c, s] = [Math.cos(mrz.angle), Math.sin(mrz.angle)];
  const [top, bottom] = [rows[0]!, rows[rows.length - 1]!];
  const [left, right] = [Math.min(...rows.map((r) => r.from)), Math.max(...rows.map((r) => r.to))];
  const half = mrz.pitch * 0.75;
  const corner = (u: number, v: number): Point => [(u * c - v * s) * scale, (u * s + v * c) * scale];
  return [
    corner(left, acrossAt(top, left) - half),
    corner(right, acrossAt(top, right) - half),
    corner(right, acrossAt(bottom, right) + half),
    corner(left, acrossAt(bottom, left) + half),
  ];
};
