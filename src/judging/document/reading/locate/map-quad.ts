import type { Point, Quad } from "#machine/imaging/image";
import type { CardMaps } from "./card-maps.ts";
import {
  crossing,
  distance,
  type Line,
  normalOf,
  orderCorners,
  pointBetween,
  signedArea,
} from "./geometry.ts";
import type { Region } from "./map-regions.ts";
import { lineThrough, trimmedLine } from "./refit.ts";

/** Hull corners to keep; the best four of them are chosen. */
const cornersMax = 12;
const samples = 24;
/** Distance in cells on both sides of a side in which the border is searched. */
const reach = 2.5;
const borderMin = 0.15;

/**
 * The quadrilateral of a region, in grid cells: the largest in its hull, with its sides on the border's
 * ridge.
 */
export const quadOfRegion = (region: Region, maps: CardMaps): Quad | undefined => {
  const rough = largestQuad(simplify(hullOf(outlineOf(region, maps))));
  if (rough === undefined) return undefined;
  const sides = rough.map((corner, i) => ridgeLine(maps, corner, rough[(i + 1) % 4]!));
  const corners = rough.map((old, i) => {
    const moved = crossing(sides[(i + 3) % 4]!, sides[i]!);
    return moved !== undefined && distance(moved, old) < 3 * reach ? moved : old;
  });
  return orderCorners([corners[0]!, corners[1]!, corners[2]!, corners[3]!]);
};

/**
 * The corners of the first and last cell of each row, in pixel coordinates of the grid (centres at whole
 * numbers).
 */
const outlineOf = ({ places }: Region, { columns }: CardMaps): readonly Point[] => {
  const rows = new Map<number, { first: number; last: number }>();
  for (const place of places) {
    const row = Math.floor(place / columns);
    const column = place - row * columns;
    const { first, last } = rows.get(row) ?? { first: column, last: column };
    rows.set(row, { first: Math.min(first, column), last: Math.max(last, column) });
  }
  return [...rows].flatMap(([row, { first, last }]): readonly Point[] => [
    [first - 0.5, row - 0.5],
    [first - 0.5, row + 0.5],
    [last + 0.5, row - 0.5],
    [last + 0.5, row + 0.5],
  ]);
};

/** Convex hull, clockwise in image coordinates (Andrew's monotone chain). */
const hullOf = (points: readonly Point[]): readonly Point[] => {
  const sorted = points.toSorted((a, b) => a[0] - b[0] || a[1] - b[1]);
  return [...chainOf(sorted), ...chainOf(sorted.toReversed())];
};

/** One chain of the hull, without its last point. */
const chainOf = (sorted: readonly Point[]): readonly Point[] => {
  const chain: Point[] = [];
  for (const point of sorted) {
    while (chain.length >= 2 && signedArea([chain.at(-2)!, chain.at(-1)!, point]) <= 0) chain.pop();
    chain.push(point);
  }
  return chain.slice(0, -1);
};

/** Removes the corner with the smallest triangle until few corners are left (Visvalingam). */
const simplify = (hull: readonly Point[]): readonly Point[] => {
  const kept = [...hull];
  while (kept.length > cornersMax) {
    const areas = kept.map((point, i) =>
      Math.abs(signedArea([kept.at(i - 1)!, point, kept[(i + 1) % kept.length]!])),
    );
    kept.splice(areas.indexOf(Math.min(...areas)), 1);
  }
  return kept;
};

const largestQuad = (points: readonly Point[]): Quad | undefined => {
  const n = points.length;
  let best: Quad | undefined;
  let largest = 0;
  for (let a = 0; a < n; a++) {
    for (let b = a + 1; b < n; b++) {
      for (let c = b + 1; c < n; c++) {
        for (let d = c + 1; d < n; d++) {
          const quad: Quad = [points[a]!, points[b]!, points[c]!, points[d]!];
          const area = Math.abs(signedArea(quad));
          if (area > largest) [best, largest] = [quad, area];
        }
      }
    }
  }
  return best;
};

/** The border's ridge near a side: at each sample the centre of gravity of the border map across it. */
const ridgeLine = (maps: CardMaps, from: Point, to: Point): Line => {
  const normal = normalOf(from, to);
  const points: Point[] = [];
  for (let k = 0; k < samples; k++) {
    const share = 0.08 + (0.84 * k) / (samples - 1);
    const at = pointBetween(from, to, share);
    let [weight, moment] = [0, 0];
    for (let away = -reach; away <= reach; away += 0.5) {
      const value = valueAt(maps.border, maps, at[0] + normal[0] * away, at[1] + normal[1] * away) ** 2;
      weight += value;
      moment += value * away;
    }
    if (weight > borderMin) {
      points.push([at[0] + (normal[0] * moment) / weight, at[1] + (normal[1] * moment) / weight]);
    }
  }
  return points.length < samples / 3 ? lineThrough(from, normal) : trimmedLine(points);
};

/** A map's value between its cells, bilinear; 0 outside the map. */
export const valueAt = (
  map: Float32Array,
  { columns, rows }: Pick<CardMaps, "columns" | "rows">,
  x: number,
  y: number,
): number => {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  if (left < 0 || top < 0 || left >= columns - 1 || top >= rows - 1) {
    return left < -1 || top < -1 || left >= columns || top >= rows ? 0 : edgeValue(map, columns, rows, x, y);
  }
  const [fx, fy] = [x - left, y - top];
  const i = top * columns + left;
  const upper = map[i]! * (1 - fx) + map[i + 1]! * fx;
  const lower = map[i + columns]! * (1 - fx) + map[i + columns + 1]! * fx;
  return upper * (1 - fy) + lower * fy;
};

const edgeValue = (map: Float32Array, columns: number, rows: number, x: number, y: number): number => {
  const column = Math.min(columns - 1, Math.max(0, Math.round(x)));
  const row = Math.min(rows - 1, Math.max(0, Math.round(y)));
  return map[row * columns + column]!;
};
