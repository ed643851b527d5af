import { solveLinear } from "#contract/statistics/linear-system";
import type { Point } from "#machine/imaging/image";

/** How well one set of points follows another as on a flat object. */
export type FlatFit = {
  /** Root mean square of the residual of a flat object, in units of the spread of the points. */
  readonly residual: number;
  /**
   * Tilt of a flat object: log of the ratio of the two stretches of the map, and the strength of its
   * perspective.
   */
  readonly tilt: number;
};

/**
 * The best plane-to-plane map between two sets of the same points (direct linear transformation, Hartley and
 * Zisserman 2004, 4.1, with their normalisation). Undefined where the points do not fix one.
 */
export const fitFlat = (from: readonly Point[], to: readonly Point[]): FlatFit | undefined => {
  const [source, target] = [normalised(from), normalised(to)];
  const map = leastSquares(source, target);
  if (map === undefined) return undefined;
  let sum = 0;
  for (const [i, [x, y]] of source.entries()) {
    const w = map[6]! * x + map[7]! * y + 1;
    const [u, v] = target[i]!;
    sum +=
      ((map[0]! * x + map[1]! * y + map[2]!) / w - u) ** 2 +
      ((map[3]! * x + map[4]! * y + map[5]!) / w - v) ** 2;
  }
  return { residual: Math.sqrt(sum / source.length), tilt: tiltOf(map) };
};

/** Shifted to the origin and scaled to a root mean square distance of 1. */
const normalised = (points: readonly Point[]): readonly Point[] => {
  const n = points.length;
  const cx = points.reduce((sum, [x]) => sum + x, 0) / n;
  const cy = points.reduce((sum, [, y]) => sum + y, 0) / n;
  const spread = Math.sqrt(points.reduce((sum, [x, y]) => sum + (x - cx) ** 2 + (y - cy) ** 2, 0) / n);
  return points.map(([x, y]) => [(x - cx) / spread, (y - cy) / spread]);
};

/**
 * Ratio of the singular values of the linear part of the map at the centre of the points, and how near its
 * vanishing line is.
 */
const tiltOf = (map: Float64Array): number => {
  const [a, b] = [map[0]! - map[2]! * map[6]!, map[1]! - map[2]! * map[7]!];
  const [c, d] = [map[3]! - map[5]! * map[6]!, map[4]! - map[5]! * map[7]!];
  const [sum, turn] = [Math.hypot(a + d, b - c) / 2, Math.hypot(a - d, b + c) / 2];
  const stretch = Math.log((sum + turn) / Math.max(1e-9, Math.abs(sum - turn)));
  return stretch + Math.hypot(map[6]!, map[7]!);
};

const leastSquares = (source: readonly Point[], target: readonly Point[]): Float64Array | undefined => {
  // Eight unknowns and the right side: the normal equations, row by row.
  const system = Array.from({ length: 8 }, () => new Float64Array(9));
  for (const [i, [x, y]] of source.entries()) {
    const [u, v] = target[i]!;
    addEquation(system, [x, y, 1, 0, 0, 0, -u * x, -u * y], u);
    addEquation(system, [0, 0, 0, x, y, 1, -v * x, -v * y], v);
  }
  return solveLinear(system);
};

const addEquation = (system: readonly Float64Array[], row: readonly number[], value: number): void => {
  for (let i = 0; i < 8; i++) {
    for (let j = 0; j < 8; j++) system[i]![j]! += row[i]! * row[j]!;
    system[i]![8]! += row[i]! * value;
  }
};
