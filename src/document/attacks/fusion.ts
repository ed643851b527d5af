import type { Json } from "#storage/store";
import type { AttackFusion, AttackPolicy } from "./attack-policy.ts";
import { type Signal, type SignalName, signalReasons } from "./signal.ts";

/** What all traces together say of a document. */
export type FusedAttack = {
  /** Log odds of an attack. */
  readonly logOdds: number;
  readonly verdict: "credible" | "doubtful" | "spoof";
  readonly signals: readonly Signal[];
};

/**
 * The signals as independent evidence (naive Bayes with fitted weights). Of one trace seen on both sides the stronger
 * counts: one copier made both. A grey portrait says the same of a card as its grey whole; contradictions that rest on
 * different sources are different evidence and add up.
 */
export const fuseSignals = (signals: readonly Signal[], { fusion, decision }: AttackPolicy): FusedAttack => {
  const logOdds = logOddsOf(joinSignals(signals), fusion);
  const verdict =
    logOdds >= decision.spoof ? "spoof" : logOdds >= decision.doubtful ? "doubtful" : "credible";
  return { logOdds, verdict, signals };
};

const logOddsOf = (
  weights: ReadonlyMap<SignalName, number>,
  { offset, scales }: Pick<AttackFusion, "offset" | "scales">,
): number => [...weights].reduce((sum, [name, weight]) => sum + weight * (scales[name] ?? 1), offset);

/** One weight for each trace, before calibration. */
export const joinSignals = (signals: readonly Signal[]): ReadonlyMap<SignalName, number> => {
  const weights = new Map<SignalName, number>();
  for (const { name: own, weight } of signals) {
    const name = own === "grey-portrait" ? "grey-copy" : own;
    const before = weights.get(name);
    const joined = own === "contradiction" ? (before ?? 0) + weight : Math.max(before ?? weight, weight);
    weights.set(name, joined);
  }
  return weights;
};

/** What is kept for the operator: every trace that was looked for, its weight, and where it speaks also why. */
export const describeAttack = ({ logOdds, verdict, signals }: FusedAttack): Json => ({
  logOdds,
  verdict,
  signals: signals.map(({ name, on, level, weight, evidence }) => ({
    name,
    on,
    level,
    weight,
    evidence: { ...evidence },
    ...(level === "none" ? {} : { reason: signalReasons[name] }),
  })),
});
