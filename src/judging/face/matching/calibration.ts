/**
 * How far a group that set no curve may exceed the counted rates: of two halves of the groups' people, either
 * half had up to 1.33 times the rates of the other; of ten other groups, the worst had 1.23 times
 * (docs/measurements/fairness.md, Calibration).
 */
const unseenGroupFactor = 1.35;

/**
 * The calibration of a fused score: the false match rate of the group where it is highest. Counted on the
 * groups of UTKFace, where the group with the highest rate sets the curve, and raised for groups that are not
 * among them. In LFW as a whole the rate at a score is a quarter of it at 1e-1, a seventh at 1e-2 and a
 * thirtieth at 1e-3. Portraits cut from cards and small registry photographs have the same curve: a worse
 * image lowers the scores of genuine pairs, not of impostor pairs.
 */
const curve = { square: -0.101, slope: -0.792, offset: 0.922 + Math.log10(unseenGroupFactor) };
/**
 * The range of scores with counted false matches. Beyond it the curve continues straight; a normal tail is
 * below that line.
 */
const counted = { from: 1.4, to: 3.6 };
/** No smaller rate was ever counted: this value means "at most". */
const falseMatchRateMin = 1e-6;

/** log10 of the false match rate, without bounds; falls strictly with the score. */
export const logRateOf = (score: number): number => {
  const nearest = Math.min(counted.to, Math.max(counted.from, score));
  return (
    curve.square * nearest ** 2 + curve.slope * nearest + curve.offset + slopeAt(nearest) * (score - nearest)
  );
};

const slopeAt = (score: number): number => 2 * curve.square * score + curve.slope;

/** The false match rate at this score, 1e-6…1. */
export const fmrAtScore = (score: number): number =>
  Math.min(1, Math.max(falseMatchRateMin, 10 ** logRateOf(score)));

/** The score at this false match rate, 1e-6…1. */
export const scoreAtFmr = (falseMatchRate: number): number => scoreAtLogRate(Math.log10(falseMatchRate));

/** The score at this log10 of a false match rate, without bounds; the inverse of `logRateOf`. */
export const scoreAtLogRate = (wanted: number): number => {
  const [high, low] = [logRateOf(counted.from), logRateOf(counted.to)];
  if (wanted > high) return counted.from + (wanted - high) / slopeAt(counted.from);
  if (wanted < low) return counted.to + (wanted - low) / slopeAt(counted.to);
  const { square, slope, offset } = curve;
  return (-slope - Math.sqrt(slope ** 2 - 4 * square * (offset - wanted))) / (2 * square);
};

/**
 * Similarity .5 is a false match rate of 1e-2. Each factor of ten moves its log odds by the same step: 1e-3
 * is .72, 1e-4 .87, 1e-6 .98. So a similarity means the same error for any threshold, recogniser and kind of
 * image.
 */
const similarityMidLogRate = -2;
const similarityScale = 1.03;

/** 0…1, strictly rising with the score up to the limit of rounding. */
export const similarityOf = (score: number): number =>
  1 / (1 + Math.exp((logRateOf(score) - similarityMidLogRate) / similarityScale));

/** The score at this similarity; the inverse of `similarityOf`. */
export const scoreOf = (similarity: number): number =>
  scoreAtLogRate(similarityMidLogRate + similarityScale * Math.log(1 / similarity - 1));
