/**
 * Linear interpolation between points, constant beyond them. `at` ascends. NaN gives the weight of the first
 * point.
 */
export const ramp = (value: number, points: readonly (readonly [at: number, weight: number])[]): number => {
  const [first, last] = [points[0]!, points.at(-1)!];
  if (!(value > first[0])) return first[1];
  if (value >= last[0]) return last[1];
  const next = points.findIndex(([at]) => at > value);
  const [low, high] = [points[next - 1]!, points[next]!];
  return low[1] + ((high[1] - low[1]) * (value - low[0])) / (high[0] - low[0]);
};
