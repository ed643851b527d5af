import type { Point, Quad } from "#imaging/image";
import { acrossAt } from "../text/text-lines.ts";
import type { Hypothesis } from "./hypotheses.ts";
import type { QuarterTurn } from "./reading.ts";

/** A direction of reading to the nearest quarter; y points down, so text that runs downwards was turned clockwise. */
export const quarterTurnOf = (angle: number): QuarterTurn => {
  const quarters = Math.round(angle / (Math.PI / 2)) & 3;
  return quarters === 0 ? 0 : quarters === 1 ? 90 : quarters === 2 ? 180 : 270;
};

/** Corners of the rows of a reading in picture pixels; `scale` = pixels of the given picture per pixel of the read one. */
export const quadOf = ({ rows, zone }: Hypothesis, scale: number): Quad => {
  const [c, s] = [Math.cos(zone.angle), Math.sin(zone.angle)];
  const [top, bottom] = [rows[0]!, rows[rows.length - 1]!];
  const [left, right] = [Math.min(...rows.map((r) => r.from)), Math.max(...rows.map((r) => r.to))];
  const half = zone.pitch * 0.75;
  const corner = (u: number, v: number): Point => [(u * c - v * s) * scale, (u * s + v * c) * scale];
  return [
    corner(left, acrossAt(top, left) - half),
    corner(right, acrossAt(top, right) - half),
    corner(right, acrossAt(bottom, right) + half),
    corner(left, acrossAt(bottom, left) + half),
  ];
};
