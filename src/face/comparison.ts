import { fmrAtScore, similarityOf } from "./calibration.ts";
import { impostorStatistics } from "./reference.ts";
import type { Template } from "./template.ts";

/** Two comparable templates: the fused and normalised score, its calibrated similarity, and the two cosines behind them. */
export type Comparison = {
  /** Impostor deviations: 0 is the mean of unrelated people who do not exist. Higher is more alike. */
  readonly score: number;
  /** 0…1, strictly rising with `score`; what it means stands in `calibration.ts`. */
  readonly similarity: number;
  /** Strangers of the group that is hardest to tell apart reach this score at this rate; at least 1e-6. */
  readonly falseMatchRate: number;
  readonly dlibCosine: number;
  readonly faceresCosine: number;
};

/**
 * Weight of faceres beside dlib, both in impostor deviations. On all 7.3 million pairs of LFW's folds 1-5, .4
 * rejects fewer genuine pairs than .5 at FMR 1e-2, 1e-3 and 1e-4; the difference is .1 to .2 points.
 */
const faceresWeight = 0.4;

/**
 * A face that looks common to the recognisers scores higher with every stranger, so the excess of its commonness over
 * that of most faces is taken off: half for either face. `typical` and the weight, 1, were chosen on folds 1-3 of LFW
 * and the groups of UTKFace: false matches of the worst group fall to a quarter, and TAR on LFW rises at FMR 1e-4
 * (docs/measurements.md). Faces that look less common than that keep their score.
 */
const typicalCommonness = 2.1;
const excessOf = ({ commonness }: Template): number => Math.max(0, commonness - typicalCommonness);

/** Compares two templates; undefined when their recognisers differ, since their numbers then share no meaning. */
export const compare = (a: Template, b: Template): Comparison | undefined => {
  if (a.recogniser !== b.recogniser) {
    return undefined;
  }
  const dlibCosine = cosine(a.dlib, b.dlib);
  const faceresCosine = cosine(a.faceres, b.faceres);
  const score = fuse(dlibCosine, faceresCosine) - (excessOf(a) + excessOf(b)) / 2;
  const falseMatchRate = fmrAtScore(score);
  return { score, similarity: similarityOf(score), falseMatchRate, dlibCosine, faceresCosine };
};

/** Plain fusion, before the cohort has its say: each cosine in deviations of its impostors, dlib + .4 faceres. */
export const fuse = (dlibCosine: number, faceresCosine: number): number => {
  const { dlib, faceres } = impostorStatistics;
  return (
    (dlibCosine - dlib.mean) / dlib.deviation +
    (faceresWeight * (faceresCosine - faceres.mean)) / faceres.deviation
  );
};

/** Dot product of two unit vectors of one length. */
export const cosine = (a: Float32Array, b: Float32Array): number => {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    sum += a[i]! * b[i]!;
  }
  return sum;
};
