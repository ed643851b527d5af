/** A point as x, y. */
type Point = readonly [number, number];

/** A rectangle by centre, sides (width ≥ height) and the direction of the longer one, in (−π/2, π/2]. */
export type Rectangle = {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly angle: number;
};

const rotationOf = (o: Point, a: Point, b: Point): number =>
  (a[0] - o[0]) * (b[1] - o[1]) - (a[1] - o[1]) * (b[0] - o[0]);

const chain = (points: readonly Point[]): Point[] => {
  const kept: Point[] = [];
  for (const point of points) {
    while (kept.length > 1 && rotationOf(kept[kept.length - 2]!, kept[kept.length - 1]!, point) <= 0) {
      kept.pop();
    }
    kept.push(point);
  }
  kept.pop();
  return kept;
};

/** Convex hull, counter-clockwise in a frame whose y points up (Andrew's monotone chain). */
const convexHull = (points: readonly Point[]): readonly Point[] => {
  const sorted = [...points].sort((a, b) => a[0] - b[0] || a[1] - b[1]);
  return [...chain(sorted), ...chain(sorted.reverse())];
};

/** An angle modulo a half rotation, in (−π/2, π/2]. */
export const halfRotation = (angle: number): number => {
  const rest = angle % Math.PI;
  if (rest > Math.PI / 2) {
    return rest - Math.PI;
  }
  return rest <= -Math.PI / 2 ? rest + Math.PI : rest;
};

type Extent = { readonly angle: number; readonly u: Point; readonly v: Point };

/** The loop makes no tuples, because it runs for each side and corner of a hull. */
const extentAlong = (hull: readonly Point[], angle: number): Extent => {
  const c = Math.cos(angle);
  const s = Math.sin(angle);
  let u0 = Infinity;
  let u1 = -Infinity;
  let v0 = Infinity;
  let v1 = -Infinity;
  for (let i = 0; i < hull.length; i++) {
    const point = hull[i]!;
    const u = point[0] * c + point[1] * s;
    const v = point[1] * c - point[0] * s;
    u0 = Math.min(u0, u);
    u1 = Math.max(u1, u);
    v0 = Math.min(v0, v);
    v1 = Math.max(v1, v);
  }
  return { angle, u: [u0, u1], v: [v0, v1] };
};

const areaOf = ({ u, v }: Extent): number => (u[1] - u[0]) * (v[1] - v[0]);

const rectangleOf = ({ angle, u, v }: Extent): Rectangle => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const [um, vm] = [(u[0] + u[1]) / 2, (v[0] + v[1]) / 2];
  const [along, across] = [u[1] - u[0], v[1] - v[0]];
  const isUpright = along >= across;
  return {
    x: um * c - vm * s,
    y: um * s + vm * c,
    width: Math.max(along, across),
    height: Math.min(along, across),
    angle: halfRotation(isUpright ? angle : angle + Math.PI / 2),
  };
};

/**
 * The smallest-area rectangle around points: one of its sides is on a side of the hull. Undefined below 3
 * corners.
 */
export const smallestRectangle = (points: readonly Point[]): Rectangle | undefined => {
  const hull = convexHull(points);
  if (hull.length < 3) {
    return undefined;
  }
  let best: Extent | undefined;
  for (const [i, [x, y]] of hull.entries()) {
    const next = hull[(i + 1) % hull.length]!;
    const extent = extentAlong(hull, Math.atan2(next[1] - y, next[0] - x));
    best = best === undefined || areaOf(extent) < areaOf(best) ? extent : best;
  }
  return best === undefined ? undefined : rectangleOf(best);
};
