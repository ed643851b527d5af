/** Signed distances to simple bodies (Quilez, 'distance functions'): below 0 inside. */

export type Vector = readonly [x: number, y: number, z: number];

export const minus = (a: Vector, b: Vector): Vector => [a[0] - b[0], a[1] - b[1], a[2] - b[2]];
const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const lengthOf = (a: Vector): number => Math.sqrt(dot(a, a));
export const cosine = (a: Vector, b: Vector): number => dot(a, b) / (lengthOf(a) * lengthOf(b));

export const sphere = (at: Vector, centre: Vector, radius: number): number =>
  lengthOf(minus(at, centre)) - radius;

/** An approximation that is exact on the surface. */
export const ellipsoid = (at: Vector, centre: Vector, radii: Vector): number => {
  const [x, y, z] = minus(at, centre);
  const near = lengthOf([x / radii[0], y / radii[1], z / radii[2]]);
  const slope = lengthOf([x / radii[0] ** 2, y / radii[1] ** 2, z / radii[2] ** 2]);
  return slope === 0 ? -Math.min(...radii) : (near * (near - 1)) / slope;
};

/** A rod with round ends. */
export const capsule = (at: Vector, from: Vector, to: Vector, radius: number): number => {
  const [along, own] = [minus(to, from), minus(at, from)];
  const share = Math.min(1, Math.max(0, dot(own, along) / dot(along, along)));
  const [x, y, z] = along;
  return lengthOf(minus(own, [x * share, y * share, z * share])) - radius;
};

/** The union of two bodies with a rounded seam of that width. */
export const joined = (a: number, b: number, seam: number): number => {
  const overlap = Math.max(0, seam - Math.abs(a - b)) / seam;
  return Math.min(a, b) - (overlap * overlap * seam) / 4;
};

/** The first body without the second, with a rounded edge of that width. */
export const without = (a: number, b: number, edge: number): number => -joined(-a, b, edge);
