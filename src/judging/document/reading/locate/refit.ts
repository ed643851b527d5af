import { upperMedian } from "#contract/statistics/quantile";
import type { Image, Point, Quad } from "#machine/imaging/image";
import { crossing, distance, type Line, normalOf, pointBetween } from "./geometry.ts";

const samples = 80;
const searchPx = 7;
/** A step below this is background noise, not the card's border. */
const gradientMin = 12;
const rounds = 4;
/** A corner that would move farther was not refitted: it caught another edge. */
const cornerShiftMax = 25;

/**
 * The same quadrilateral with each side fitted to the image's edge: 80 samples per side, the strongest normal
 * gradient within 7 px, a trimmed total-least-squares line. For an image of about 1024 px.
 */
export const refitQuad = (image: Image, quad: Quad): Quad => {
  const sides = quad.map((corner, i) => refitSide(image, corner, quad[(i + 1) % 4]!));
  const corners = quad.map((old, i) => {
    const moved = crossing(sides[(i + 3) % 4]!, sides[i]!);
    return moved !== undefined && distance(moved, old) < cornerShiftMax ? moved : undefined;
  });
  const [a, b, c, d] = corners;
  return a === undefined || b === undefined || c === undefined || d === undefined ? quad : [a, b, c, d];
};

const refitSide = (image: Image, from: Point, to: Point): Line => {
  const normal = normalOf(from, to);
  const points: Point[] = [];
  for (let k = 0; k < samples; k++) {
    // The outer 4 % are excluded: cards have round corners.
    const share = 0.04 + (0.92 * k) / (samples - 1);
    const at = pointBetween(from, to, share);
    const away = strongestStep(image, at, normal);
    if (away !== undefined) {
      points.push([at[0] + normal[0] * away, at[1] + normal[1] * away]);
    }
  }
  return points.length < 10 ? lineThrough(from, normal) : trimmedLine(points);
};

export const lineThrough = (point: Point, normal: Point): Line => ({
  angle: Math.atan2(normal[1], normal[0]),
  cos: normal[0],
  sin: normal[1],
  rho: normal[0] * point[0] + normal[1] * point[1],
});

const strongestStep = (image: Image, at: Point, normal: Point): number | undefined => {
  let best: number | undefined;
  let strongest = gradientMin;
  for (let away = -searchPx; away <= searchPx; away++) {
    const x = Math.round(at[0] + normal[0] * away);
    const y = Math.round(at[1] + normal[1] * away);
    if (x < 1 || y < 1 || x >= image.width - 1 || y >= image.height - 1) {
      continue;
    }
    const strength = normalGradient(image, x, y, normal) * (1 - Math.abs(away) * 0.04);
    if (strength > strongest) {
      strongest = strength;
      best = away;
    }
  }
  return best;
};

/** Sobel gradient along a direction, of the strongest channel; computed only at the requested pixel. */
const normalGradient = (image: Image, x: number, y: number, normal: Point): number => {
  const { width, data } = image;
  let strongest = 0;
  for (let channel = 0; channel < 3; channel++) {
    const centre = (y * width + x) * 3 + channel;
    const up = centre - width * 3;
    const down = centre + width * 3;
    const dx =
      data[up + 3]! +
      2 * data[centre + 3]! +
      data[down + 3]! -
      data[up - 3]! -
      2 * data[centre - 3]! -
      data[down - 3]!;
    const dy =
      data[down - 3]! + 2 * data[down]! + data[down + 3]! - data[up - 3]! - 2 * data[up]! - data[up + 3]!;
    strongest = Math.max(strongest, Math.abs(dx * normal[0] + dy * normal[1]));
  }
  return strongest;
};

/** Fits a line, drops the points beyond twice the median distance (at least one pixel), and fits again. */
export const trimmedLine = (points: readonly Point[]): Line => {
  let line = leastSquares(points);
  for (let round = 1; round < rounds; round++) {
    const errors = points.map(([x, y]) => Math.abs(line.cos * x + line.sin * y - line.rho));
    const median = upperMedian(errors);
    const kept = points.filter((_, i) => errors[i]! <= Math.max(1, 2 * median));
    if (kept.length < 8) {
      break;
    }
    line = leastSquares(kept);
  }
  return line;
};

/** Total least squares: the line through the centre along the main axis of the points. */
const leastSquares = (points: readonly Point[]): Line => {
  const mx = points.reduce((sum, [x]) => sum + x, 0) / points.length;
  const my = points.reduce((sum, [, y]) => sum + y, 0) / points.length;
  let xx = 0;
  let yy = 0;
  let xy = 0;
  for (const [x, y] of points) {
    xx += (x - mx) ** 2;
    yy += (y - my) ** 2;
    xy += (x - mx) * (y - my);
  }
  const along = 0.5 * Math.atan2(2 * xy, xx - yy);
  return lineThrough([mx, my], [-Math.sin(along), Math.cos(along)]);
};
