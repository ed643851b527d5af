import { type Rate, rateOf } from "#contract/statistics/rate";
import { areaUnderCurve } from "#contract/statistics/scores";
import {
  type DocumentCue,
  type DocumentCueName,
  documentCueNames,
} from "#judging/document/decision/attacks/cue";
import type { FusedAttack } from "#judging/document/decision/attacks/fusion";

/** One labelled image and the product's result; without a verdict if the image could not be opened. */
export type AttackCase = {
  readonly label: "attack" | "genuine";
  /** Kind of the attack; empty for genuine images. */
  readonly kind: string;
  /** The recording from which the image is a frame. All images of one clip are one presentation. */
  readonly clip: string;
  readonly fused?: FusedAttack;
};

export type KindFigures = {
  readonly clips: number;
  readonly pictures: number;
  /**
   * Clips that passed as credible, over clips with a verdict (ISO/IEC 30107-3, 13.2.2). NaN is written as
   * null.
   */
  readonly apcer: number;
  readonly bounds: Rate;
  /** AUC of the log odds, by image. */
  readonly auc: number;
  /** Clips in which each cue was present, at least weakly. */
  readonly signals: Readonly<Partial<Record<DocumentCueName, number>>>;
};

export type AttacksReport = {
  /** Genuine images with a verdict. */
  readonly genuine: number;
  /** Genuine images that were not credible. */
  readonly bpcer: number;
  readonly bpcerBounds: Rate;
  readonly unread: number;
  readonly genuineSignals: Readonly<Partial<Record<DocumentCueName, number>>>;
  readonly kinds: Readonly<Record<string, KindFigures>>;
};

/** Error rates of the verdicts on labelled images, per kind of attack. Bounds are Clopper-Pearson, 95 %. */
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
    genuineSignals: countCues(genuine.map(({ fused }) => fused.cues)),
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
    signals: countCues(middles.map(({ cues }) => cues)),
  };
};

/**
 * The image with the median odds represents a clip. If two images are in the middle, the more credible one
 * does.
 */
const middleOf = (clip: readonly Judged[]): FusedAttack =>
  clip.map(({ fused }) => fused).toSorted((a, b) => a.logOdds - b.logOdds)[(clip.length - 1) >> 1]!;

const oddsOf = (cases: readonly Judged[]): Float64Array =>
  Float64Array.from(cases, ({ fused }) => fused.logOdds);

const countCues = (seen: readonly (readonly DocumentCue[])[]): KindFigures["signals"] =>
  Object.fromEntries(
    documentCueNames.flatMap((name) => {
      const isPresent = (cues: readonly DocumentCue[]): boolean =>
        cues.some((one) => one.name === name && one.level !== "none");
      const count = seen.filter(isPresent).length;
      return count === 0 ? [] : [[name, count]];
    }),
  );
