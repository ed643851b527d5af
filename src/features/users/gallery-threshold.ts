/** The share `fmr` of impostor pairs reaches `score` or more. */
export type FalseMatchPoint = { readonly score: number; readonly fmr: number };

/**
 * False match rates of the product's comparison on all 7,255,541 impostor pairs of LFW's folds 1-5
 * (docs/measurements/search.md). Above the last point there are 81 pairs. Scores rise, rates fall.
 */
export const measuredFalseMatches: readonly [FalseMatchPoint, FalseMatchPoint, ...FalseMatchPoint[]] = [
  { score: 2, fmr: 2.98e-2 },
  { score: 2.5, fmr: 5.46e-3 },
  { score: 3, fmr: 5.5e-4 },
  { score: 3.3, fmr: 9.81e-5 },
  { score: 3.6, fmr: 1.12e-5 },
];

/**
 * The score at which a false match rate is reached. The logarithm of the rate is interpolated linearly
 * between the measured points, and extrapolated from the last two. Beyond them the true rate falls faster, as
 * a normal tail does, so the returned score is rather too high than too low.
 */
export const scoreAtRate = (points: typeof measuredFalseMatches, fmr: number): number => {
  const next = Math.max(
    1,
    points.findIndex((point) => point.fmr <= fmr),
  );
  const isBeyond = points.every((point) => point.fmr > fmr);
  const at = isBeyond ? points.length - 1 : next;
  const [before, after] = [points[at - 1]!, points[at]!];
  const slope = (Math.log(after.fmr) - Math.log(before.fmr)) / (after.score - before.score);
  return before.score + (Math.log(fmr) - Math.log(before.fmr)) / slope;
};

/**
 * The lowest score that counts as a match among `size` faces. With it, a search for a face that is not
 * enrolled returns any match with the probability `fpir` at most (false-positive identification rate, ISO/IEC
 * 19795-1): each additional face is another chance of a false match. It is never below `scoreMin`, the
 * threshold of a one-to-one comparison.
 */
export const scoreForGallery = (
  points: typeof measuredFalseMatches,
  { size, fpir, scoreMin }: { readonly size: number; readonly fpir: number; readonly scoreMin: number },
): number => Math.max(scoreMin, scoreAtRate(points, -Math.expm1(Math.log1p(-fpir) / Math.max(1, size))));
