import type { Point, Quad } from "#machine/imaging/image";
import type { CardMaps } from "./card-maps.ts";
import { pointBetween, signedArea } from "./geometry.ts";
import { valueAt } from "./map-quad.ts";
import type { Region } from "./map-regions.ts";

/** The card map of one region: values of other regions are 0. */
export const mapOfRegion = ({ card }: CardMaps, region: Region, regions: readonly Region[]): Float32Array => {
  const own = Float32Array.from(card);
  for (const other of regions) {
    if (other !== region) for (const place of other.places) own[place] = 0;
  }
  return own;
};

/** A side as the signed distance of a grid cell from it: a·x + b·y + c, positive inside. */
type Side = readonly [a: number, b: number, c: number];

const sidesOf = (quad: Quad): readonly Side[] => {
  const rotation = Math.sign(signedArea(quad));
  return quad.map(([ax, ay], i): Side => {
    const [bx, by] = quad[(i + 1) % 4]!;
    const scale = rotation / Math.max(1e-6, Math.hypot(bx - ax, by - ay));
    const [a, b] = [-(by - ay) * scale, (bx - ax) * scale];
    return [a, b, -a * ax - b * ay];
  });
};

/** Soft intersection over union (IoU) of a convex quadrilateral (in grid cells) and a map, 0…1. */
export const agreementOf = (
  quad: Quad,
  map: Float32Array,
  columns: number,
  total: number = sumOf(map),
): number => {
  const sides = sidesOf(quad);
  const rows = map.length / columns;
  const [left, right] = spanOf(
    quad.map(([x]) => x),
    columns,
  );
  const [top, bottom] = spanOf(
    quad.map(([, y]) => y),
    rows,
  );
  let shared = 0;
  let covered = 0;
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const cover = coverOf(sides, x, y);
      covered += cover;
      shared += Math.min(cover, map[y * columns + x]!);
    }
  }
  return shared / Math.max(1e-6, covered + total - shared);
};

/** The sum of a map's values: one map may be compared with many quadrilaterals. */
export const sumOf = (map: Float32Array): number => map.reduce((sum, value) => sum + value, 0);

const spanOf = (values: readonly number[], size: number): readonly [number, number] => [
  Math.max(0, Math.floor(Math.min(...values)) - 1),
  Math.min(size - 1, Math.ceil(Math.max(...values)) + 1),
];

/** How much of a cell is inside: from the distance of its centre to the nearest side. */
const coverOf = (sides: readonly Side[], x: number, y: number): number => {
  let nearest = 0.5;
  for (const [a, b, c] of sides) nearest = Math.min(nearest, a * x + b * y + c);
  return Math.max(0, nearest + 0.5);
};

const samples = 24;

/** Mean of the border map along each side that is inside the image. */
export const borderAlong = (quad: Quad, maps: CardMaps): readonly number[] =>
  quad.flatMap((from, i): readonly number[] => {
    const to = quad[(i + 1) % 4]!;
    const values: number[] = [];
    for (let k = 0; k < samples; k++) {
      const at = pointBetween(from, to, (k + 0.5) / samples);
      if (isInside(at, maps)) values.push(valueAt(maps.border, maps, at[0], at[1]));
    }
    return values.length === 0 ? [] : [values.reduce((sum, value) => sum + value, 0) / values.length];
  });

const isInside = ([x, y]: Point, { columns, rows }: CardMaps): boolean =>
  x >= 0 && y >= 0 && x <= columns - 1 && y <= rows - 1;
