import type { Image, Imaging, Point, Quad } from "#imaging/image";
import { distance, sideLengths, turnCorners } from "./locate/geometry.ts";
import type { QuarterTurns } from "./reading.ts";

/** Longer side of the upright picture, in pixels: enough for a portrait of 300 px on an ID-1 card. */
const longSideMax = 1400;

/** The corners of the whole frame, on the outer edge of its pixels. */
export const frameQuad = ({ width, height }: Image): Quad => [
  [-0.5, -0.5],
  [width - 0.5, -0.5],
  [width - 0.5, height - 0.5],
  [-0.5, height - 0.5],
];

/** Cuts the quadrilateral out, its first corner at the top left. */
export const straighten = (imaging: Pick<Imaging, "rectify">, image: Image, quad: Quad): Image => {
  const [top, right, bottom, left] = sideLengths(quad);
  const width = (top + bottom) / 2;
  const height = (right + left) / 2;
  const scale = Math.min(1, longSideMax / Math.max(width, height));
  const side = (length: number): number => Math.max(16, Math.round(length * scale));
  return imaging.rectify(image, quad, side(width), side(height));
};

/** A straightened side so that the corner after `turns` steps comes to the top left: a copy, which costs a tenth of a cut. */
export const turnSide = (imaging: Pick<Imaging, "turn">, side: Image, turns: QuarterTurns): Image => {
  const clockwise = { 1: 3, 2: 2, 3: 1 } as const;
  return turns === 0 ? side : imaging.turn(side, clockwise[turns]);
};

/** Steps after which the quadrilateral's top side runs the way that text is read, `from` to `to`. */
export const turnsAlong = (quad: Quad, from: Point, to: Point): QuarterTurns => {
  const allTurns = [0, 1, 2, 3] as const;
  const along = (turns: QuarterTurns): number => {
    const [a, b] = turnCorners(quad, turns);
    const dot = (b[0] - a[0]) * (to[0] - from[0]) + (b[1] - a[1]) * (to[1] - from[1]);
    return dot / distance(a, b);
  };
  return allTurns.reduce((best, turns) => (along(turns) > along(best) ? turns : best));
};
