import { fmrAtScore, similarityOf } from "./calibration.ts";
import { excessOf } from "./commonness.ts";
import { cosine, fuse } from "./fusion.ts";
import { type ScoreScale, scoreOfValue } from "./score-scale.ts";
import { isPair, type Template, vectorsOf } from "./template-kinds.ts";

/** Two comparable templates: the score, its calibrated similarity, and the cosines behind them. */
export type Comparison = {
  /**
   * Impostor deviations of the bundled pair: 0 is the mean of unrelated people who do not exist. Higher is more alike. The
   * values of an added recogniser or beside an own cohort are brought onto this axis by the errors that were counted with
   * them (`score-scale.ts`).
   */
  readonly score: number;
  /** 0…1, strictly rising with `score`; what it means stands in `calibration.ts`. */
  readonly similarity: number;
  /** Strangers of the group that is hardest to tell apart reach this score at this rate; at least 1e-6. */
  readonly falseMatchRate: number;
  /** Of dlib and faceres; of an added recogniser the one that it has. */
  readonly cosines: readonly number[];
};

/**
 * Compares two templates; undefined when their recognisers differ, since their numbers then share no meaning, and for
 * templates of an added recogniser other than that of `scale`. Beside an own cohort they are as it sees them (`asSeenBy`).
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

/** Cosine of each of two templates' vectors; undefined when their recognisers differ. */
export const cosinesOf = (a: Template, b: Template): readonly number[] | undefined => {
  if (a.recogniser !== b.recogniser) {
    return undefined;
  }
  const [ours, theirs] = [vectorsOf(a), vectorsOf(b)];
  const isAlike = ours.every((vector, i) => vector.length === theirs[i]?.length);
  return isAlike ? ours.map((vector, i) => cosine(vector, theirs[i]!)) : undefined;
};

/** On the recogniser's own axis: the fused score less commonness, or the cosine of an added one. */
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
