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
/** Pull of every scale towards 1: a cue that hardly occurs keeps its own judge's weight. */
const ridge = 0.001;
const offsetRange = [-6, -weakMax - 0.2] as const;
const steps = 3000;
const rate = 1;

type Row = { readonly sample: FusionSample; readonly weight: number };

/**
 * Offset and scales with the least weighted log-loss (logistic regression with a ridge, by projected gradient descent).
 * Scales stay between 0 and `scaleMax`, so that no cue ever speaks for the other side, and the offset stays where weak
 * cues cannot reach even odds. A missing cue adds nothing.
 */
export const fitFusion = (samples: readonly FusionSample[]): FittedFusion => {
  const rows = weighed(samples);
  const names = [...new Set(samples.flatMap(({ evidence }) => evidence.map(({ cue }) => cue)))];
  let offset: number = offsetRange[1];
  let scales = new Map<CueName, number>(names.map((name) => [name, 1]));
  for (let step = 0; step < steps; step++) {
    const slope = slopeAt(rows, offset, scales);
    offset = within(offset - rate * slope.offset, offsetRange);
    scales = new Map(
      names.map((name) => {
        const scale = scales.get(name)!;
        const pull = 2 * ridge * (scale - 1);
        return [name, within(scale - rate * ((slope.scales.get(name) ?? 0) + pull), [0, scaleMax])];
      }),
    );
  }
  return {
    offset: rounded(offset),
    scales: Object.fromEntries([...scales].map(([n, s]) => [n, rounded(s)])),
  };
};

const rounded = (value: number): number => Math.round(1000 * value) / 1000;

const within = (value: number, [low, high]: readonly [number, number]): number =>
  Math.min(high, Math.max(low, value));

/** Live persons have .9 of all weight, attacks .1, spread evenly over their kinds. */
const weighed = (samples: readonly FusionSample[]): readonly Row[] => {
  const kinds = Map.groupBy(
    samples.filter(({ isAttack }) => isAttack),
    ({ kind }) => kind,
  );
  const live = samples.filter(({ isAttack }) => !isAttack).length;
  return samples.map((sample) => ({
    sample,
    weight: sample.isAttack
      ? attackShare / (kinds.size * kinds.get(sample.kind)!.length)
      : (1 - attackShare) / live,
  }));
};

const slopeAt = (rows: readonly Row[], offset: number, scales: ReadonlyMap<CueName, number>) => {
  const slopes = new Map<CueName, number>();
  let offsetSlope = 0;
  for (const { sample, weight } of rows) {
    const scaled = scaledBy(sample.evidence, (cue) => scales.get(cue) ?? 1);
    const odds = logOddsOf(scaled, offset);
    const error = weight * (1 / (1 + Math.exp(-odds)) - (sample.isAttack ? 1 : 0));
    const weakSum = scaled.reduce((sum, { cue, weight: own }) => sum + (isDecisive(cue) ? 0 : own), 0);
    offsetSlope += error;
    for (const { cue, weight: own } of sample.evidence) {
      // Beyond the bound of the weak cues a change of theirs changes nothing.
      if (isDecisive(cue) || Math.abs(weakSum) < weakMax) {
        slopes.set(cue, (slopes.get(cue) ?? 0) + error * own);
      }
    }
  }
  return { offset: offsetSlope, scales: slopes };
};

const scaledBy = (
  evidence: readonly CueEvidence[],
  scale: (cue: CueName) => number,
): readonly CueEvidence[] => evidence.map(({ cue, weight }) => ({ cue, weight: weight * scale(cue) }));

/** The evidence as a fusion weighs it. */
export const calibrated = (
  evidence: readonly CueEvidence[],
  { scales }: FittedFusion,
): readonly CueEvidence[] => scaledBy(evidence, (cue) => scales[cue] ?? 1);

/**
 * Log odds of every picture by a fit that saw no picture of the same person: `folds` fits, persons dealt in the order of
 * their first picture.
 */
export const crossValidate = (samples: readonly FusionSample[], folds: number): readonly number[] => {
  const persons = [...new Set(samples.map(({ person }) => person))];
  const foldOf = new Map(persons.map((person, i) => [person, i % folds]));
  const fits = Array.from({ length: folds }, (_, fold) =>
    fitFusion(samples.filter(({ person }) => foldOf.get(person) !== fold)),
  );
  return samples.map(({ evidence, person }) => {
    const fit = fits[foldOf.get(person)!]!;
    return logOddsOf(calibrated(evidence, fit), fit.offset);
  });
};
