/** From a score on, this share of the pairs of different people reaches it. */
export type FalseMatchPoint = { readonly score: number; readonly fmr: number };

/**
 * False-match rates of the product's comparison on all 7,255,541 impostor pairs of LFW's folds 1-5 (docs/measurements.md);
 * the last has 81 pairs above it. Rising scores, falling rates.
 */
export const measuredFalseMatches: readonly [FalseMatchPoint, FalseMatchPoint, ...FalseMatchPoint[]] = [
  { score: 2, fmr: 2.98e-2 },
  { score: 2.5, fmr: 5.46e-3 },
  { score: 3, fmr: 5.5e-4 },
  { score: 3.3, fmr: 9.81e-5 },
  { score: 3.6, fmr: 1.12e-5 },
];

/**
 * The score at which a rate is reached. Between measured points the rate's logarithm is taken as straight; beyond the last
 * the last two are prolonged. The logarithm of the true rate falls ever faster there, as a normal tail does, so the straight
 * line lies above it: the answer is rather too high than too low.
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
 * The lowest score that counts as a hit among `size` faces, so that a search for somebody who is not there finds anybody
 * with the probability `fpir` at most (false-positive identification rate, ISO/IEC 19795-1): each of the faces is another
 * chance for chance. Never lower than `scoreMin`, from which two faces are one person where one is compared with one.
 */
export const scoreForGallery = (
  points: typeof measuredFalseMatches,
  { size, fpir, scoreMin }: { readonly size: number; readonly fpir: number; readonly scoreMin: number },
): number => Math.max(scoreMin, scoreAtRate(points, -Math.expm1(Math.log1p(-fpir) / Math.max(1, size))));
