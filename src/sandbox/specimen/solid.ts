/** Signed distances to simple bodies (Quilez, 'distance functions'): below 0 inside. */

export type Vector = readonly [x: number, y: number, z: number];

/**
 * The distance of a point to a body. It is asked millions of times for one image: it takes numbers, and makes
 * no vectors.
 */
export type Distance = (x: number, y: number, z: number) => number;

const dot = (a: Vector, b: Vector): number => a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
export const lengthOf = (a: Vector): number => Math.sqrt(dot(a, a));
export const cosine = (a: Vector, b: Vector): number => dot(a, b) / (lengthOf(a) * lengthOf(b));

export const sphere =
  ([centreX, centreY, centreZ]: Vector, radius: number): Distance =>
  (atX, atY, atZ) => {
    const x = atX - centreX;
    const y = atY - centreY;
    const z = atZ - centreZ;
    return Math.sqrt(x * x + y * y + z * z) - radius;
  };

/** An approximation that is exact on the surface. */
export const ellipsoid = ([centreX, centreY, centreZ]: Vector, radii: Vector): Distance => {
  const [radiusX, radiusY, radiusZ] = radii;
  const [squareX, squareY, squareZ] = [radiusX * radiusX, radiusY * radiusY, radiusZ * radiusZ];
  const depth = -Math.min(...radii);
  return (atX, atY, atZ) => {
    const x = (atX - centreX) / radiusX;
    const y = (atY - centreY) / radiusY;
    const z = (atZ - centreZ) / radiusZ;
    const near = Math.sqrt(x * x + y * y + z * z);
    const slopeX = (atX - centreX) / squareX;
    const slopeY = (atY - centreY) / squareY;
    const slopeZ = (atZ - centreZ) / squareZ;
    const slope = Math.sqrt(slopeX * slopeX + slopeY * slopeY + slopeZ * slopeZ);
    return slope === 0 ? depth : (near * (near - 1)) / slope;
  };
};

/** A rod with round ends. */
export const capsule = (from: Vector, to: Vector, radius: number): Distance => {
  const [fromX, fromY, fromZ] = from;
  const [alongX, alongY, alongZ] = [to[0] - fromX, to[1] - fromY, to[2] - fromZ];
  const whole = alongX * alongX + alongY * alongY + alongZ * alongZ;
  return (atX, atY, atZ) => {
    const x = atX - fromX;
    const y = atY - fromY;
    const z = atZ - fromZ;
    const share = Math.min(1, Math.max(0, (x * alongX + y * alongY + z * alongZ) / whole));
    const offX = x - alongX * share;
    const offY = y - alongY * share;
    const offZ = z - alongZ * share;
    return Math.sqrt(offX * offX + offY * offY + offZ * offZ) - radius;
  };
};

/** The union of two bodies with a rounded seam of that width. */
export const joined = (a: number, b: number, seam: number): number => {
  const overlap = Math.max(0, seam - Math.abs(a - b)) / seam;
  return Math.min(a, b) - (overlap * overlap * seam) / 4;
};

/** The first body without the second, with a rounded edge of that width. */
export const without = (a: number, b: number, edge: number): number => -joined(-a, b, edge);
