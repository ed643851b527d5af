import { fmrAtScore, similarityOf } from "./calibration.ts";
import { excessOf } from "./cohort-score.ts";
import { cosine, fuse } from "./fusion.ts";
import { type ScoreScale, scoreOfValue } from "./score-scale.ts";
import { isPair, type Template, vectorsOf } from "./template-kinds.ts";

/** The comparison of two templates: the score, its calibrated similarity, and the cosines. */
export type Comparison = {
  /**
   * Comparison score in impostor deviations of the bundled pair: 0 is the mean of unrelated generated faces,
   * higher is more similar. The values of an added recogniser or of an own cohort are mapped to this axis by
   * their counted error rates (`score-scale.ts`).
   */
  readonly score: number;
  /** 0…1, strictly rising with `score`; `calibration.ts` defines its meaning. */
  readonly similarity: number;
  /** The false match rate at this score in the group where it is highest; at least 1e-6. */
  readonly falseMatchRate: number;
  /** The cosines of dlib and faceres; an added recogniser has a single cosine. */
  readonly cosines: readonly number[];
};

/**
 * Compares two templates. Undefined if their recognisers differ, because their values are not comparable, and
 * for templates of an added recogniser other than that of `scale`. With an own cohort the templates are
 * normalised by it first (`normaliseTemplate`).
 */
export const compare = (a: Template, b: Template, scale?: ScoreScale): Comparison | undefined => {
  const cosines = cosinesOf(a, b);
  if (cosines === undefined) {
    return undefined;
  }
  const value = valueOf(a, b, cosines);
  const score = scoreOf(a, value, scale);
  return score === undefined
    ? undefined
    : { score, similarity: similarityOf(score), falseMatchRate: fmrAtScore(score), cosines };
};

/** The cosine of each pair of vectors of two templates; undefined if their recognisers differ. */
export const cosinesOf = (a: Template, b: Template): readonly number[] | undefined => {
  if (a.recogniser !== b.recogniser) {
    return undefined;
  }
  const [ours, theirs] = [vectorsOf(a), vectorsOf(b)];
  const isSameSize = ours.every((vector, i) => vector.length === theirs[i]?.length);
  return isSameSize ? ours.map((vector, i) => cosine(vector, theirs[i]!)) : undefined;
};

/**
 * The value on the recogniser's own axis: the normalised fused score, or the cosine of an added recogniser.
 */
const valueOf = (
  a: Template,
  b: Template,
  [first = Number.NaN, second = Number.NaN]: readonly number[],
): number => (isPair(a) && isPair(b) ? fuse(first, second) - (excessOf(a) + excessOf(b)) / 2 : first);

const scoreOf = (template: Template, value: number, scale: ScoreScale | undefined): number | undefined => {
  const points = scale?.recogniser === template.recogniser ? scale.points : undefined;
  if (points !== undefined) return scoreOfValue(points, value);
  return isPair(template) ? value : undefined;
};
