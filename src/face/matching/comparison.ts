import { fmrAtScore, similarityOf } from "./calibration.ts";
import { impostorStatistics } from "./reference.ts";
import { type ScoreScale, scoreOfValue } from "./score-scale.ts";
import { isPair, type PairTemplate, type Template, vectorsOf } from "./template-kinds.ts";

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
 * Weight of faceres beside dlib, both in impostor deviations. On all 7.3 million pairs of LFW's folds 1-5, .4
 * rejects fewer genuine pairs than .5 at FMR 1e-2, 1e-3 and 1e-4; the difference is .1 to .2 points.
 */
const faceresWeight = 0.4;

/**
 * A face that looks common to the recognisers scores higher with every stranger, so the excess of its commonness over
 * that of most faces is taken off: half for either face. Faces that look less common than that keep their score. Chosen on LFW and
 * the groups of UTKFace: beside the cohort that ships false matches of the worst group fall to a twentieth of plain fusion's, and
 * TAR on LFW stays what it was; people who are like an own cohort need less of it (docs/measurements.md).
 */
const taken = {
  shipped: { typical: 1.85, weight: 1.4 },
  own: { typical: 2.1, weight: 1 },
} as const;
/** Half of it is taken off every fused score of the face. */
export const excessOf = ({ commonness, cohort }: Pick<PairTemplate, "commonness" | "cohort">): number => {
  const { typical, weight } = taken[cohort ?? "shipped"];
  return weight * Math.max(0, commonness - typical);
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

/** Plain fusion, before the cohort has its say: each cosine in deviations of its impostors, dlib + .4 faceres. */
export const fuse = (dlibCosine: number, faceresCosine: number): number => {
  const { dlib, faceres } = impostorStatistics;
  return (
    (dlibCosine - dlib.mean) / dlib.deviation +
    (faceresWeight * (faceresCosine - faceres.mean)) / faceres.deviation
  );
};

/** Dot product of two unit vectors of one length. Four sums that wait for none of the others: half the time of one. */
export const cosine = (a: Float32Array, b: Float32Array): number => {
  let first = 0;
  let second = 0;
  let third = 0;
  let fourth = 0;
  const whole = a.length - (a.length % 4);
  for (let i = 0; i < whole; i += 4) {
    first += a[i]! * b[i]!;
    second += a[i + 1]! * b[i + 1]!;
    third += a[i + 2]! * b[i + 2]!;
    fourth += a[i + 3]! * b[i + 3]!;
  }
  for (let i = whole; i < a.length; i++) first += a[i]! * b[i]!;
  return first + second + (third + fourth);
};
