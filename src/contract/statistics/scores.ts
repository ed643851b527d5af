/**
 * Probability that a score drawn from `high` lies above one drawn from `low`; ties count half (Mann and
 * Whitney).
 */
export const areaUnderCurve = (high: Float64Array, low: Float64Array): number => {
  const sorted = low.toSorted();
  let wins = 0;
  for (const score of high) {
    wins += (countBelow(sorted, score, false) + countBelow(sorted, score, true)) / 2;
  }
  return wins / (high.length * low.length);
};

/** Elements of an ascending array below `value`, or up to `value` with `inclusive`. */
export const countBelow = (ascending: Float64Array, value: number, inclusive: boolean): number => {
  let [from, to] = [0, ascending.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    const isBelow = inclusive ? ascending[middle]! <= value : ascending[middle]! < value;
    if (isBelow) {
      from = middle + 1;
    } else {
      to = middle;
    }
  }
  return from;
};

/** Threshold above which at most a share `fmr` of the ascending impostor scores lies (a match is `>`). */
export const thresholdAt = (impostors: Float64Array, fmr: number): number =>
  impostors[Math.max(0, impostors.length - 1 - Math.floor(fmr * impostors.length))] ?? Number.NaN;
