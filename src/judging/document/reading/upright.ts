import type { Image, Imaging, Point, Quad } from "#machine/imaging/image";
import { distance, rotateCorners, sideLengths } from "./locate/geometry.ts";
import type { QuarterRotations } from "./quarter-rotations.ts";

/** Longer side of the upright image, in pixels: enough for a portrait of 300 px on an ID-1 card. */
const longSideMax = 1400;

/** The corners of the whole frame, on the outer edge of its pixels. */
export const frameQuad = ({ width, height }: Image): Quad => [
  [-0.5, -0.5],
  [width - 0.5, -0.5],
  [width - 0.5, height - 0.5],
  [-0.5, height - 0.5],
];

/** Cuts the quadrilateral out, with its first corner at the top left. */
export const straighten = (imaging: Pick<Imaging, "rectify">, image: Image, quad: Quad): Image => {
  const [top, right, bottom, left] = sideLengths(quad);
  const width = (top + bottom) / 2;
  const height = (right + left) / 2;
  const scale = Math.min(1, longSideMax / Math.max(width, height));
  const side = (length: number): number => Math.max(16, Math.round(length * scale));
  return imaging.rectify(image, quad, side(width), side(height));
};

/**
 * Rotates a straightened side so that the corner after `rotations` steps is at the top left. It copies
 * pixels, at a tenth of the cost of a new cut.
 */
export const rotateSide = (
  imaging: Pick<Imaging, "rotate">,
  side: Image,
  rotations: QuarterRotations,
): Image => {
  const clockwise = { 1: 3, 2: 2, 3: 1 } as const;
  return rotations === 0 ? side : imaging.rotate(side, clockwise[rotations]);
};

/** Steps after which the quadrilateral's top side runs in the reading direction, `from` to `to`. */
export const rotationsAlong = (quad: Quad, from: Point, to: Point): QuarterRotations => {
  const allRotations = [0, 1, 2, 3] as const;
  const along = (rotations: QuarterRotations): number => {
    const [a, b] = rotateCorners(quad, rotations);
    const dot = (b[0] - a[0]) * (to[0] - from[0]) + (b[1] - a[1]) * (to[1] - from[1]);
    return dot / distance(a, b);
  };
  return allRotations.reduce((best, rotations) => (along(rotations) > along(best) ? rotations : best));
};
