import {
  type CueEvidence,
  calibrate,
  type FittedFusion,
  logOddsOf,
  sumOf,
  type WeakCues,
} from "#contract/presentation-attack/fusion";
import { type Bounds, crossFit, fitScales, type OddsOf, sharesOf } from "#contract/statistics/fit-scales";

/** One labelled image, with the evidence of its cues before calibration. */
export type FusionSample<Cue extends string> = {
  readonly evidence: readonly CueEvidence<Cue>[];
  readonly isAttack: boolean;
  /** Kind of the attack. Every kind has the same weight, independent of its number of images. */
  readonly kind: string;
  /** The capture subject or document. Its images stay in one fold. */
  readonly group: string;
};

/** How a module fits its fusion. */
export type FitRules<Cue extends string> = {
  readonly bounds: Bounds<Cue>;
  readonly weakCues?: WeakCues<Cue>;
  /** Cues that get a scale even where no sample has them. */
  readonly fixedCues?: readonly Cue[];
  readonly steps: number;
  readonly round: (value: number) => number;
};

/** Share of attacks in all weight: the log odds refer to one attack in ten samples. */
const attackShare = 0.1;

/** The fusion with the least loss within the bounds. A cue without a measurement adds nothing. */
export const fitFusion = <Cue extends string>(
  samples: readonly FusionSample<Cue>[],
  { bounds, weakCues, fixedCues = [], steps, round }: FitRules<Cue>,
): FittedFusion<Cue> => {
  const shares = sharesOf(
    samples.map(({ isAttack, kind }) => ({ isPositive: isAttack, kind })),
    attackShare,
  );
  const rows = samples.map(({ evidence, isAttack }, i) => ({
    weights: new Map(evidence.map(({ cue, weight }) => [cue, weight])),
    isPositive: isAttack,
    share: shares[i]!,
  }));
  const cues = [...new Set([...rows.flatMap(({ weights }) => [...weights.keys()]), ...fixedCues])];
  const { offset, scales } = fitScales(rows, cues, bounds, steps, makeOddsOf(weakCues));
  return { offset: round(offset), scales: recordOf(scales, round) };
};

/** Where the sum of the weak cues is at its limit, none of their scales changes the log odds. */
const makeOddsOf =
  <Cue extends string>(weakCues: WeakCues<Cue> | undefined): OddsOf<Cue> =>
  (weights, { offset, scales }) => {
    const evidence = [...weights].map(([cue, weight]) => ({ cue, weight: weight * (scales.get(cue) ?? 1) }));
    const odds = logOddsOf(evidence, offset, weakCues);
    if (weakCues === undefined) return { odds, isMovedBy: () => true };
    const isFree = Math.abs(sumOf(evidence, weakCues.isWeak)) < weakCues.max;
    return { odds, isMovedBy: (cue) => isFree || !weakCues.isWeak(cue) };
  };

const recordOf = <Cue extends string>(
  scales: ReadonlyMap<Cue, number>,
  round: (value: number) => number,
): FittedFusion<Cue>["scales"] => {
  const rounded: Partial<Record<Cue, number>> = {};
  for (const [cue, scale] of scales) rounded[cue] = round(scale);
  return rounded;
};

/** For every sample a fit without the images of its own group. */
export const crossFitFusion = <Cue extends string>(
  samples: readonly FusionSample<Cue>[],
  rules: FitRules<Cue>,
  folds: number,
): readonly FittedFusion<Cue>[] =>
  crossFit(
    samples,
    ({ group }) => group,
    folds,
    (others) => fitFusion(others, rules),
  );

/** For every sample the log odds of an attack by a fit without the images of its own group. */
export const crossValidateFusion = <Cue extends string>(
  samples: readonly FusionSample<Cue>[],
  rules: FitRules<Cue>,
  folds: number,
): readonly number[] =>
  crossFitFusion(samples, rules, folds).map((fit, i) =>
    logOddsOf(calibrate(samples[i]!.evidence, fit), fit.offset, rules.weakCues),
  );
