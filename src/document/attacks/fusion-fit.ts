import { crossFit, fitScales, sharesOf } from "#statistics/fit-scales";
import type { AttackFusion, AttackPolicy } from "./attack-policy.ts";
import { joinSignals } from "./fusion.ts";
import { decisiveSignals, type Signal, type SignalName, signalNames, weights } from "./signal.ts";

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
const offsetRange = [-4, -1.6] as const;
const scaleMax = 3;
const steps = 2000;

/** A grey portrait is weighed as the card's grey whole. */
const fused = signalNames.filter((name) => name !== "grey-portrait");

const isDecisive = (name: SignalName): boolean => decisiveSignals.includes(name);

/** The most that a trace which is only a hint weighs before calibration. */
const mostOf = (name: SignalName): number => (name === "other-face" ? weights.otherFace : weights.hintMax);

/** Whether no hint alone makes a spoof, and no trace speaks for the document. */
export const isSafe = (
  { offset, scales }: FittedAttackFusion,
  { decision }: Pick<AttackPolicy, "decision">,
): boolean =>
  offset >= offsetRange[0] &&
  offset <= offsetRange[1] &&
  fused.every((name) => {
    const scale = scales[name] ?? 1;
    const isBounded = scale >= 0 && scale <= scaleMax;
    return isBounded && (isDecisive(name) || offset + mostOf(name) * scale < decision.spoof);
  });

/**
 * The fusion with the least loss, genuine documents .9 of all weight, within the bounds of `isSafe`. Samples carry no face
 * beside the document's own: the scale of `other-face` follows the offset alone.
 */
export const fitAttackFusion = (
  samples: readonly AttackSample[],
  { decision }: Pick<AttackPolicy, "decision">,
): FittedAttackFusion => {
  const shares = sharesOf(
    samples.map(({ isAttack, kind }) => ({ isPositive: isAttack, kind })),
    attackShare,
  );
  const rows = samples.map(({ signals, isAttack }, i) => ({
    weights: joinSignals(signals),
    isPositive: isAttack,
    share: shares[i]!,
  }));
  const names = [...new Set<SignalName>([...rows.flatMap((row) => [...row.weights.keys()]), "other-face"])];
  const scaleMaxOf = (name: SignalName, offset: number): number =>
    isDecisive(name) ? scaleMax : Math.min(scaleMax, (decision.spoof - offset - 0.01) / mostOf(name));
  const { offset, scales } = fitScales(rows, names, { offset: offsetRange, scaleMaxOf }, steps);
  return {
    offset: rounded(offset),
    scales: Object.fromEntries([...scales].map(([name, scale]) => [name, rounded(scale)])),
  };
};

/** Downwards, so that a scale stays within its bound. */
const rounded = (value: number): number => Math.floor(1000 * value) / 1000;

/** For every sample the fusion of a fit that saw no picture of the same document. */
export const crossFitAttackFusion = (
  samples: readonly AttackSample[],
  policy: Pick<AttackPolicy, "decision">,
  folds: number,
): readonly FittedAttackFusion[] =>
  crossFit(
    samples,
    ({ document }) => document,
    folds,
    (others) => fitAttackFusion(others, policy),
  );
