import { type Rate, rateOf } from "#statistics/rate";
import { areaUnderCurve } from "#statistics/scores";
import type { FusedAttack } from "./fusion.ts";
import { type Signal, type SignalName, signalNames } from "./signal.ts";

/** One labelled picture and what the product said of it; without a verdict where it could not be opened. */
export type AttackCase = {
  readonly label: "attack" | "genuine";
  /** Kind of the attack; empty for genuine ones. */
  readonly kind: string;
  /** The recording that the picture is a frame of; pictures of one clip are one presentation. */
  readonly clip: string;
  readonly fused?: FusedAttack;
};

export type KindFigures = {
  readonly clips: number;
  readonly pictures: number;
  /** Clips that passed as credible, over clips with a verdict (ISO/IEC 30107-3, 13.2.2). NaN is written as null. */
  readonly apcer: number;
  readonly bounds: Rate;
  /** Of the log odds, by picture. */
  readonly auc: number;
  /** Clips of which each signal spoke, at least weakly. */
  readonly signals: Readonly<Partial<Record<SignalName, number>>>;
};

export type AttacksReport = {
  /** Genuine pictures with a verdict. */
  readonly genuine: number;
  /** Genuine pictures that were not credible. */
  readonly bpcer: number;
  readonly bpcerBounds: Rate;
  readonly unread: number;
  readonly genuineSignals: Readonly<Partial<Record<SignalName, number>>>;
  readonly kinds: Readonly<Record<string, KindFigures>>;
};

/** Error rates of the verdicts on labelled pictures, each kind of attack apart; bounds are Clopper and Pearson's, 95 %. */
export const reportAttacks = (cases: readonly AttackCase[]): AttacksReport => {
  const judged = cases.flatMap(({ fused, ...one }) => (fused === undefined ? [] : [{ ...one, fused }]));
  const genuine = judged.filter(({ label }) => label === "genuine");
  const bpcer = rateOf(genuine.filter(({ fused }) => fused.verdict !== "credible").length, genuine.length);
  const kinds = Map.groupBy(
    judged.filter(({ label }) => label === "attack"),
    ({ kind }) => kind || "unnamed",
  );
  return {
    genuine: genuine.length,
    bpcer: bpcer.rate,
    bpcerBounds: bpcer,
    unread: cases.length - judged.length,
    genuineSignals: countSignals(genuine.map(({ fused }) => fused.signals)),
    kinds: Object.fromEntries([...kinds].map(([kind, attacks]) => [kind, figuresOf(attacks, genuine)])),
  };
};

type Judged = AttackCase & { readonly fused: FusedAttack };

const figuresOf = (attacks: readonly Judged[], genuine: readonly Judged[]): KindFigures => {
  const clips = [...Map.groupBy(attacks, ({ clip }) => clip).values()];
  const middles = clips.map(middleOf);
  const bounds = rateOf(middles.filter(({ verdict }) => verdict === "credible").length, clips.length);
  return {
    clips: clips.length,
    pictures: attacks.length,
    apcer: bounds.rate,
    bounds,
    auc: areaUnderCurve(oddsOf(attacks), oddsOf(genuine)),
    signals: countSignals(middles.map(({ signals }) => signals)),
  };
};

/** The picture in the middle by its odds speaks for a clip; of two in the middle the more credible one. */
const middleOf = (clip: readonly Judged[]): FusedAttack =>
  clip.map(({ fused }) => fused).toSorted((a, b) => a.logOdds - b.logOdds)[(clip.length - 1) >> 1]!;

const oddsOf = (cases: readonly Judged[]): Float64Array =>
  Float64Array.from(cases, ({ fused }) => fused.logOdds);

const countSignals = (seen: readonly (readonly Signal[])[]): KindFigures["signals"] =>
  Object.fromEntries(
    signalNames.flatMap((name) => {
      const speaks = (signals: readonly Signal[]): boolean =>
        signals.some((one) => one.name === name && one.level !== "none");
      const count = seen.filter(speaks).length;
      return count === 0 ? [] : [[name, count]];
    }),
  );
