import type { Point, Quad } from "#machine/imaging/image";

/** A straight line in Hesse form: x·cos + y·sin = rho, with the angle of its normal in radians. */
export type Line = {
  readonly angle: number;
  readonly cos: number;
  readonly sin: number;
  readonly rho: number;
};

/** The crossing point of two lines; undefined when they are nearly parallel. */
export const crossing = (a: Line, b: Line): Point | undefined => {
  const determinant = a.cos * b.sin - a.sin * b.cos;
  if (Math.abs(determinant) < 1e-6) {
    return undefined;
  }
  return [(a.rho * b.sin - b.rho * a.sin) / determinant, (b.rho * a.cos - a.rho * b.cos) / determinant];
};

/** Smallest angle between two undirected lines, 0…π/2. */
export const angleBetween = (a: number, b: number): number => {
  const difference = Math.abs(a - b) % Math.PI;
  return Math.min(difference, Math.PI - difference);
};

/**
 * The point of a quadrilateral at these shares of its plane's width and height, seen in perspective
 * (Heckbert, Fundamentals of Texture Mapping, 1989, 2.2.3). A side that the imaging module rectified has its
 * points there.
 */
export const pointIn = ([p0, p1, p2, p3]: Quad, [s, t]: Point): Point => {
  const [sumX, sumY] = [p0[0] - p1[0] + p2[0] - p3[0], p0[1] - p1[1] + p2[1] - p3[1]];
  const [ax, ay, bx, by] = [p1[0] - p2[0], p1[1] - p2[1], p3[0] - p2[0], p3[1] - p2[1]];
  const determinant = ax * by - bx * ay;
  const g = determinant === 0 ? 0 : (sumX * by - bx * sumY) / determinant;
  const h = determinant === 0 ? 0 : (ax * sumY - sumX * ay) / determinant;
  const at = (i: 0 | 1): number =>
    ((p1[i] - p0[i] + g * p1[i]) * s + (p3[i] - p0[i] + h * p3[i]) * t + p0[i]) / (g * s + h * t + 1);
  return [at(0), at(1)];
};

export const distance = (a: Point, b: Point): number => Math.hypot(a[0] - b[0], a[1] - b[1]);

/** The point at this share of the way between two points. */
export const pointBetween = (from: Point, to: Point, share: number): Point => [
  from[0] + share * (to[0] - from[0]),
  from[1] + share * (to[1] - from[1]),
];

/**
 * Unit normal of a side, towards the inside of a clockwise quadrilateral; zero when the side has no length.
 */
export const normalOf = (from: Point, to: Point): Point => {
  const length = Math.max(1e-6, distance(from, to));
  return [-(to[1] - from[1]) / length, (to[0] - from[0]) / length];
};

/** Shoelace area; positive when the corners run clockwise in image coordinates (y downwards). */
export const signedArea = (corners: readonly Point[]): number => {
  let sum = 0;
  for (let i = 0; i < corners.length; i++) {
    const [x, y] = corners[i]!;
    const [u, v] = corners[(i + 1) % corners.length]!;
    sum += x * v - u * y;
  }
  return sum / 2;
};

/** Lengths of the sides top, right, bottom, left. */
export const sideLengths = (quad: Quad): readonly [number, number, number, number] => [
  distance(quad[0], quad[1]),
  distance(quad[1], quad[2]),
  distance(quad[2], quad[3]),
  distance(quad[3], quad[0]),
];

/** The same corners clockwise, starting with the corner nearest to the image's top-left corner. */
export const orderCorners = (quad: Quad): Quad => {
  const clockwise: Quad = signedArea(quad) >= 0 ? quad : [quad[0], quad[3], quad[2], quad[1]];
  let first = 0;
  for (let i = 1; i < 4; i++) {
    if (clockwise[i]![0] + clockwise[i]![1] < clockwise[first]![0] + clockwise[first]![1]) {
      first = i;
    }
  }
  return rotateCorners(clockwise, first);
};

/** The quadrilateral that starts at another corner: `steps` quarter rotations of the image inside it. */
export const rotateCorners = (quad: Quad, steps: number): Quad => {
  const at = (i: number): Point => quad[(((i + steps) % 4) + 4) % 4]!;
  return [at(0), at(1), at(2), at(3)];
};

/** Scales corners from one image size to another (pixel centres kept). */
export const scaleCorners = (quad: Quad, x: number, y: number): Quad => {
  const move = ([px, py]: Point): Point => [(px + 0.5) * x - 0.5, (py + 0.5) * y - 0.5];
  return [move(quad[0]), move(quad[1]), move(quad[2]), move(quad[3])];
};

/** Moves corners from a crop into the coordinates of the whole image. */
export const shiftCorners = (quad: Quad, x: number, y: number): Quad => {
  const move = ([px, py]: Point): Point => [px + x, py + y];
  return [move(quad[0]), move(quad[1]), move(quad[2]), move(quad[3])];
};

/**
 * Intersection over union (IoU) of two quadrilaterals, 0…1: the usual measure of a located card. The polygons
 * are clipped against each other (Sutherland–Hodgman), so both must be convex.
 */
export const intersectionOverUnion = (a: Quad, b: Quad): number => {
  const shared = Math.abs(signedArea(clip(a, b)));
  const all = Math.abs(signedArea(a)) + Math.abs(signedArea(b)) - shared;
  return all > 0 ? shared / all : 0;
};

const clip = (subject: readonly Point[], against: Quad): readonly Point[] => {
  const sign = Math.sign(signedArea(against));
  let result = subject;
  for (let i = 0; i < 4; i++) {
    const [x, y] = against[i]!;
    const [u, v] = against[(i + 1) % 4]!;
    const inside = (p: Point): number => sign * ((u - x) * (p[1] - y) - (v - y) * (p[0] - x));
    result = clipBySide(result, inside);
  }
  return result;
};

const clipBySide = (corners: readonly Point[], inside: (p: Point) => number): readonly Point[] =>
  corners.flatMap((p, i): readonly Point[] => {
    const q = corners[(i + 1) % corners.length]!;
    const from = inside(p);
    const to = inside(q);
    const share = from / (from - to);
    const cut: readonly Point[] =
      from >= 0 === to >= 0 ? [] : [[p[0] + share * (q[0] - p[0]), p[1] + share * (q[1] - p[1])]];
    return from >= 0 ? [p, ...cut] : cut;
  });

/** Whether the point is inside the clockwise quadrilateral. */
export const isInside = (quad: Quad, [x, y]: Point): boolean =>
  quad.every(([ax, ay], i) => {
    const [bx, by] = quad[(i + 1) % 4]!;
    return (bx - ax) * (y - ay) - (by - ay) * (x - ax) >= 0;
  });
