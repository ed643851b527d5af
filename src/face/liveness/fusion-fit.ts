import { crossFit, fitScales, type OddsOf, sharesOf } from "#statistics/fit-scales";
import type { CueEvidence, CueName } from "./cues/cue.ts";
import { isDecisive } from "./cues/list.ts";
import { type Fusion, logOddsOf, scaleMax, weakMax } from "./fusion.ts";

/** One labelled picture that was judged: what its cues say before calibration. */
export type FusionSample = {
  readonly evidence: readonly CueEvidence[];
  readonly isAttack: boolean;
  /** Kind of the attack; every kind counts alike, however many pictures it has. */
  readonly kind: string;
  /** Pictures of one person stay in one fold. */
  readonly person: string;
};

export type FittedFusion = Omit<Fusion, "name">;

/** Share of attacks that the score's odds stand for. */
const attackShare = 0.1;
const offsetRange = [-6, -weakMax - 0.2] as const;
const steps = 3000;

/** Beyond the bound of the weak cues a change of theirs changes nothing. */
const oddsOf: OddsOf<CueName> = (weights, { offset, scales }) => {
  const evidence = [...weights].map(([cue, weight]) => ({ cue, weight: weight * (scales.get(cue) ?? 1) }));
  const weak = evidence.reduce((sum, { cue, weight }) => sum + (isDecisive(cue) ? 0 : weight), 0);
  return {
    odds: logOddsOf(evidence, offset),
    isMovedBy: (cue) => isDecisive(cue) || Math.abs(weak) < weakMax,
  };
};

/**
 * The fusion with the least loss, live persons .9 of all weight. Scales stay between 0 and `scaleMax`, and the offset where
 * weak cues cannot reach even odds. A missing cue adds nothing.
 */
export const fitFusion = (samples: readonly FusionSample[]): FittedFusion => {
  const shares = sharesOf(
    samples.map(({ isAttack, kind }) => ({ isPositive: isAttack, kind })),
    attackShare,
  );
  const rows = samples.map(({ evidence, isAttack }, i) => ({
    weights: new Map(evidence.map(({ cue, weight }) => [cue, weight])),
    isPositive: isAttack,
    share: shares[i]!,
  }));
  const names = [...new Set(samples.flatMap(({ evidence }) => evidence.map(({ cue }) => cue)))];
  const bounds = { offset: offsetRange, scaleMaxOf: () => scaleMax };
  const { offset, scales } = fitScales(rows, names, bounds, steps, oddsOf);
  return {
    offset: rounded(offset),
    scales: Object.fromEntries([...scales].map(([name, scale]) => [name, rounded(scale)])),
  };
};

const rounded = (value: number): number => Math.round(1000 * value) / 1000;

/** The evidence as a fusion weighs it. */
export const calibrated = (
  evidence: readonly CueEvidence[],
  { scales }: FittedFusion,
): readonly CueEvidence[] =>
  evidence.map(({ cue, weight }) => ({ cue, weight: weight * (scales[cue] ?? 1) }));

/** Log odds of every picture by one of `folds` fits, which saw no picture of the same person. */
export const crossValidate = (samples: readonly FusionSample[], folds: number): readonly number[] =>
  crossFit(samples, ({ person }) => person, folds, fitFusion).map((fit, i) =>
    logOddsOf(calibrated(samples[i]!.evidence, fit), fit.offset),
  );
