import type { AttackFusion, AttackPolicy } from "./attack-policy.ts";
import { joinSignals, logOddsOf } from "./fusion.ts";
import type { Signal, SignalName } from "./signal.ts";

/** One labelled document that was judged. */
export type AttackSample = {
  readonly signals: readonly Signal[];
  readonly isAttack: boolean;
  /** Kind of the attack; every kind counts alike, however many pictures it has. */
  readonly kind: string;
  /** Pictures of one document stay in one fold. */
  readonly document: string;
};

export type FittedAttackFusion = Omit<AttackFusion, "name">;

/** Share of attacks that the odds stand for. */
const attackShare = 0.1;
/** Pull of every scale towards 1: a trace that hardly occurs keeps its own weight. */
const ridge = 0.001;
const offsetRange = [-4, -1.6] as const;
const scaleMax = 3;
const steps = 2000;

/** Traces that may make a spoof alone. */
const decisive: readonly SignalName[] = ["grey-copy", "contradiction"];

/** The most that a trace which is only a hint weighs before calibration. */
const hintMax = 1.9;

/** Whether no hint alone makes a spoof, and no trace speaks for the document. */
export const isSafe = (
  { offset, scales }: FittedAttackFusion,
  { decision }: Pick<AttackPolicy, "decision">,
): boolean =>
  offset >= offsetRange[0] &&
  offset <= offsetRange[1] &&
  Object.entries(scales).every(
    ([name, scale]) =>
      scale >= 0 &&
      scale <= scaleMax &&
      (decisive.some((one) => one === name) || offset + hintMax * scale < decision.spoof),
  );

type Row = {
  readonly weights: ReadonlyMap<SignalName, number>;
  readonly isAttack: boolean;
  /** Of all weight: genuine documents have .9, attacks .1, spread evenly over their kinds. */
  readonly share: number;
};

const rowsOf = (samples: readonly AttackSample[]): readonly Row[] => {
  const kinds = Map.groupBy(samples, ({ isAttack, kind }) => (isAttack ? kind : ""));
  const attackKinds = [...kinds.keys()].filter((kind) => kind !== "").length;
  return samples.map(({ signals, isAttack, kind }) => ({
    weights: joinSignals(signals),
    isAttack,
    share: isAttack
      ? attackShare / (attackKinds * kinds.get(kind)!.length)
      : (1 - attackShare) / (kinds.get("")?.length ?? 1),
  }));
};

/**
 * Offset and scales with the least weighted log-loss (logistic regression with a ridge, by projected gradient descent),
 * within the bounds of `isSafe`.
 */
export const fitAttackFusion = (
  samples: readonly AttackSample[],
  { decision }: Pick<AttackPolicy, "decision">,
): FittedAttackFusion => {
  const rows = rowsOf(samples);
  const names = [...new Set(rows.flatMap(({ weights }) => [...weights.keys()]))];
  let offset: number = offsetRange[1];
  let scales: ReadonlyMap<SignalName, number> = new Map(names.map((name) => [name, 1]));
  for (let step = 0; step < steps; step++) {
    const slope = slopeAt(rows, { offset, scales: Object.fromEntries(scales) });
    offset = within(offset - slope.offset, offsetRange);
    const hintMost = Math.min(scaleMax, (decision.spoof - offset - 0.01) / hintMax);
    scales = new Map(
      names.map((name) => {
        const scale = scales.get(name)!;
        const moved = scale - (slope.scales.get(name) ?? 0) - 2 * ridge * (scale - 1);
        return [name, within(moved, [0, decisive.includes(name) ? scaleMax : hintMost])];
      }),
    );
  }
  return {
    offset: rounded(offset),
    scales: Object.fromEntries([...scales].map(([name, scale]) => [name, rounded(scale)])),
  };
};

const slopeAt = (rows: readonly Row[], fusion: FittedAttackFusion) => {
  const scales = new Map<SignalName, number>();
  let offset = 0;
  for (const { weights, isAttack, share } of rows) {
    const error = share * (1 / (1 + Math.exp(-logOddsOf(weights, fusion))) - (isAttack ? 1 : 0));
    offset += error;
    for (const [name, weight] of weights) scales.set(name, (scales.get(name) ?? 0) + error * weight);
  }
  return { offset, scales };
};

/** Downwards, so that a scale stays within its bound. */
const rounded = (value: number): number => Math.floor(1000 * value) / 1000;

const within = (value: number, [low, high]: readonly [number, number]): number =>
  Math.min(high, Math.max(low, value));

/** For every sample the fusion of a fit that saw no picture of the same document; documents dealt in their order. */
export const crossFit = (
  samples: readonly AttackSample[],
  policy: Pick<AttackPolicy, "decision">,
  folds: number,
): readonly FittedAttackFusion[] => {
  const documents = [...new Set(samples.map(({ document }) => document))];
  const foldOf = new Map(documents.map((document, i) => [document, i % folds]));
  const fits = Array.from({ length: folds }, (_, fold) =>
    fitAttackFusion(
      samples.filter(({ document }) => foldOf.get(document) !== fold),
      policy,
    ),
  );
  return samples.map(({ document }) => fits[foldOf.get(document)!]!);
};
