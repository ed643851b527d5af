import type { CardMaps } from "#judging/document/reading/locate/card-maps";
import type { Quad } from "#machine/imaging/image";

const distanceTo = (
  [ax, ay]: readonly [number, number],
  [bx, by]: readonly [number, number],
  x: number,
  y: number,
): number => {
  const length = Math.hypot(bx - ax, by - ay);
  const along = Math.min(1, Math.max(0, ((x - ax) * (bx - ax) + (y - ay) * (by - ay)) / length ** 2));
  return Math.hypot(x - ax - along * (bx - ax), y - ay - along * (by - ay));
};

/** An upright rectangle, clockwise from its top left corner. */
export const rectangle = (left: number, top: number, right: number, bottom: number): Quad => [
  [left, top],
  [right, top],
  [right, bottom],
  [left, bottom],
];

/** The maps of a perfect network for cards at these corners (clockwise, in grid cells). */
export const mapsOf = (columns: number, rows: number, quads: readonly Quad[]): CardMaps => {
  const [card, border] = [new Float32Array(columns * rows), new Float32Array(columns * rows)];
  for (let i = 0; i < card.length; i++) {
    const [x, y] = [i % columns, Math.floor(i / columns)];
    for (const quad of quads) {
      const sides = quad.map((from, k) => [from, quad[(k + 1) % 4]!] as const);
      const away = Math.min(...sides.map(([from, to]) => distanceTo(from, to, x, y)));
      const isInside = sides.every(
        ([[ax, ay], [bx, by]]) => (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0,
      );
      card[i] = Math.max(card[i]!, Math.min(1, Math.max(0, 0.5 + (isInside ? away : -away))));
      border[i] = Math.max(border[i]!, Math.exp(-(away ** 2) / (2 * 0.625 ** 2)));
    }
  }
  return { columns, rows, card, border };
};
