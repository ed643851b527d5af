/** Signed distances to simple bodies (Quilez, 'distance functions'): below 0 inside. */

export type Vector = readonly [x: number, y: number, z: number];

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const lengthOf = (a: Vector): number => Math.sqrt(dot(a, a));
export const cosine = (a: Vector, b: Vector): number => dot(a, b) / (lengthOf(a) * lengthOf(b));

/** Distances are asked millions of times for one image: they make no vectors. */
export const sphere = (at: Vector, centre: Vector, radius: number): number => {
  const x = at[0] - centre[0];
  const y = at[1] - centre[1];
  const z = at[2] - centre[2];
  return Math.sqrt(x * x + y * y + z * z) - radius;
};

/** An approximation that is exact on the surface. */
export const ellipsoid = (at: Vector, centre: Vector, radii: Vector): number => {
  const x = (at[0] - centre[0]) / radii[0];
  const y = (at[1] - centre[1]) / radii[1];
  const z = (at[2] - centre[2]) / radii[2];
  const near = Math.sqrt(x * x + y * y + z * z);
  const slopeX = (at[0] - centre[0]) / (radii[0] * radii[0]);
  const slopeY = (at[1] - centre[1]) / (radii[1] * radii[1]);
  const slopeZ = (at[2] - centre[2]) / (radii[2] * radii[2]);
  const slope = Math.sqrt(slopeX * slopeX + slopeY * slopeY + slopeZ * slopeZ);
  return slope === 0 ? -Math.min(...radii) : (near * (near - 1)) / slope;
};

/** A rod with round ends. */
export const capsule = (at: Vector, from: Vector, to: Vector, radius: number): number => {
  const alongX = to[0] - from[0];
  const alongY = to[1] - from[1];
  const alongZ = to[2] - from[2];
  const x = at[0] - from[0];
  const y = at[1] - from[1];
  const z = at[2] - from[2];
  const whole = alongX * alongX + alongY * alongY + alongZ * alongZ;
  const share = Math.min(1, Math.max(0, (x * alongX + y * alongY + z * alongZ) / whole));
  const offX = x - alongX * share;
  const offY = y - alongY * share;
  const offZ = z - alongZ * share;
  return Math.sqrt(offX * offX + offY * offY + offZ * offZ) - radius;
};

/** The union of two bodies with a rounded seam of that width. */
export const joined = (a: number, b: number, seam: number): number => {
  const overlap = Math.max(0, seam - Math.abs(a - b)) / seam;
  return Math.min(a, b) - (overlap * overlap * seam) / 4;
};

/** The first body without the second, with a rounded edge of that width. */
export const without = (a: number, b: number, edge: number): number => -joined(-a, b, edge);
