import { logRateOf, scoreAtLogRate } from "./calibration.ts";

/** The cosine from which this share of the pairs of strangers lies above it. */
export type CosinePoint = { readonly falseMatchRate: number; readonly cosine: number };

/** What the cosines of an added recogniser are worth, as the operator measured it. Plain values: it crosses to threads. */
export type CosineScale = {
  /** As in its templates. */
  readonly recogniser: string;
  /** Name and version of the recogniser, and the first digits of its calibration's hash: policies are named by it. */
  readonly name: string;
  /** At least two; falling rates, rising cosines. */
  readonly points: readonly CosinePoint[];
};

/** What is wrong with points, in words; undefined where a scale can be made of them. */
export const findCrooked = (points: readonly CosinePoint[]): string | undefined => {
  if (points.length < 2) return "fewer than two points were measured";
  const isRising = points.every(({ cosine, falseMatchRate }, i) => {
    const before = points[i - 1];
    return before === undefined || (cosine > before.cosine && falseMatchRate < before.falseMatchRate);
  });
  const isBounded = points.every(
    ({ cosine, falseMatchRate }) => Math.abs(cosine) < 1 && falseMatchRate > 0 && falseMatchRate < 1,
  );
  return isRising && isBounded ? undefined : "its cosines do not rise while its false-match rates fall";
};

/**
 * The score of a cosine: that at which the bundled pair has the same false-match rate, so that thresholds, similarities
 * and rates mean one thing whatever recogniser is at work. Between points the rate's logarithm is straight; beyond them
 * it is prolonged (`slopeBeyond`). Rises strictly.
 */
export const scoreOfCosine = (points: readonly CosinePoint[], cosine: number): number => {
  const { before, slope } = pieceAt(points, ({ cosine: end }) => cosine <= end);
  return scoreAtLogRate(Math.log10(before.falseMatchRate) + slope * (cosine - before.cosine));
};

/** The cosine of a score; the inverse of `scoreOfCosine`. */
export const cosineOfScore = (points: readonly CosinePoint[], score: number): number => {
  const wanted = logRateOf(score);
  const { before, slope } = pieceAt(points, ({ falseMatchRate }) => wanted >= Math.log10(falseMatchRate));
  return before.cosine + (wanted - Math.log10(before.falseMatchRate)) / slope;
};

/** The straight piece that ends with the first point for which `isEnd` holds, or that beyond the last. */
const pieceAt = (points: readonly CosinePoint[], isEnd: (point: CosinePoint) => boolean) => {
  const [first, second] = [points[0]!, points[1]!];
  const at = points.findIndex(isEnd);
  if (at < 0) return { before: points.at(-1)!, slope: slopeBeyond(points) };
  return at === 0
    ? { before: first, slope: slopeOf(first, second) }
    : { before: points[at - 1]!, slope: slopeOf(points[at - 1]!, points[at]!) };
};

/**
 * Beyond the last point nobody has counted. The true rate falls ever faster there, as a normal tail does; the flatter one
 * of the last piece and of the whole promises less than either.
 */
const slopeBeyond = (points: readonly CosinePoint[]): number =>
  Math.max(slopeOf(points.at(-2)!, points.at(-1)!), slopeOf(points[0]!, points.at(-1)!));

const slopeOf = (a: CosinePoint, b: CosinePoint): number =>
  Math.log10(b.falseMatchRate / a.falseMatchRate) / (b.cosine - a.cosine);
