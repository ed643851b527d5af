import { logRateOf, scoreAtLogRate } from "./calibration.ts";
import type { Vectors } from "./template-kinds.ts";

/** The value that this share of impostor pairs exceeds, on the recogniser's own axis. */
export type ScalePoint = { readonly falseMatchRate: number; readonly value: number };

/**
 * The calibration of a recogniser's values, as the operator measured it: cosines of an added recogniser, or
 * normalised fused scores of the bundled pair with the operator's own cohort. Plain values: it crosses to
 * threads.
 */
export type ScoreScale = {
  /** As in its templates. */
  readonly recogniser: string;
  /** Its name with the first digits of its hash; policies are named by it. */
  readonly name: string;
  /** At least two; falling rates, rising values. Absent if the values are scores already. */
  readonly points?: readonly ScalePoint[];
  /** For the bundled pair: the operator's own cohort, which gives the cohort score (`normaliseTemplate`). */
  readonly faces?: readonly Vectors[];
};

/** The defect of the points, as a text; undefined if they define a scale. Values are within ±`valueMax`. */
export const findCrooked = (points: readonly ScalePoint[], valueMax = 1): string | undefined => {
  if (points.length < 2) return "fewer than two points were measured";
  const isRising = points.every(({ value, falseMatchRate }, i) => {
    const before = points[i - 1];
    return before === undefined || (value > before.value && falseMatchRate < before.falseMatchRate);
  });
  const isBounded = points.every(
    ({ value, falseMatchRate }) => Math.abs(value) < valueMax && falseMatchRate > 0 && falseMatchRate < 1,
  );
  return isRising && isBounded ? undefined : "its values do not rise while its false-match rates fall";
};

/**
 * The score with the same false match rate as a value, so that thresholds, similarities and rates mean the
 * same for every recogniser and cohort. Between points the logarithm of the rate is linear; beyond them it is
 * extrapolated (`slopeBeyond`). Rises strictly.
 */
export const scoreOfValue = (points: readonly ScalePoint[], value: number): number => {
  const { before, slope } = pieceAt(points, ({ value: end }) => value <= end);
  return scoreAtLogRate(Math.log10(before.falseMatchRate) + slope * (value - before.value));
};

/** The value of a score; the inverse of `scoreOfValue`. */
export const valueOfScore = (points: readonly ScalePoint[], score: number): number => {
  const wanted = logRateOf(score);
  const { before, slope } = pieceAt(points, ({ falseMatchRate }) => wanted >= Math.log10(falseMatchRate));
  return before.value + (wanted - Math.log10(before.falseMatchRate)) / slope;
};

/** The linear piece that ends with the first point for which `isEnd` holds, or the piece beyond the last. */
const pieceAt = (points: readonly ScalePoint[], isEnd: (point: ScalePoint) => boolean) => {
  const [first, second] = [points[0]!, points[1]!];
  const at = points.findIndex(isEnd);
  if (at < 0) return { before: points.at(-1)!, slope: slopeBeyond(points) };
  return at === 0
    ? { before: first, slope: slopeOf(first, second) }
    : { before: points[at - 1]!, slope: slopeOf(points[at - 1]!, points[at]!) };
};

/**
 * Beyond the last point there are no counts. The true rate falls faster there, as a normal tail does; the
 * flatter slope of the last piece and of the whole scale promises less than either.
 */
const slopeBeyond = (points: readonly ScalePoint[]): number =>
  Math.max(slopeOf(points.at(-2)!, points.at(-1)!), slopeOf(points[0]!, points.at(-1)!));

const slopeOf = (a: ScalePoint, b: ScalePoint): number =>
  Math.log10(b.falseMatchRate / a.falseMatchRate) / (b.value - a.value);
