import { quantile } from "#contract/statistics/quantile";
import { rateOf } from "#contract/statistics/rate";
import { intersectionOverUnion } from "#judging/document/reading/locate/geometry";
import type { Quad } from "#machine/imaging/image";

/**
 * One image of a list: the true place of its card (null: no card) and the found place, in pixels of the file.
 */
export type LocatedImage = {
  readonly truth: Quad | null;
  /** Absent if no card was found. */
  readonly found?: { readonly quad: Quad; readonly score: number };
  /** Decode included. */
  readonly ms: number;
};

type Bounds = { readonly low: number; readonly high: number };

/** A share of `n`, with its Clopper-Pearson bounds, 95 %. `share` is null for n = 0. */
export type Share = {
  readonly count: number;
  readonly n: number;
  readonly share: number | null;
  readonly bounds: Bounds;
};

/** The result of a gate that accepts scores from `score` on. */
export type GateFigures = {
  readonly score: number;
  /** Share of the images with a card that were accepted, and of these the share with an IoU over .9. */
  readonly accepted: Share;
  readonly right: Share;
  /** Share of the images without a card in which a card was found. */
  readonly falseCards: Share;
};

export type LocationReport = {
  readonly pictures: number;
  /** Of the images with a card. */
  readonly over90: Share;
  readonly over75: Share;
  readonly refused: Share;
  readonly medianIou: number | null;
  readonly gates: readonly GateFigures[];
  readonly ms: { readonly median: number | null; readonly p95: number | null };
};

/** The share of a card's area that must agree for a located card, as usual in the field (SmartDoc, MIDV). */
const right = 0.9;
const nearlyRight = 0.75;

const shareOf = (count: number, n: number): Share => {
  const { low, high } = rateOf(count, n);
  return { count, n, share: n === 0 ? null : count / n, bounds: { low, high } };
};

type Judged = LocatedImage & { readonly iou: number };

const gateOf = (score: number, cards: readonly Judged[], others: readonly LocatedImage[]): GateFigures => {
  const passes = ({ found }: LocatedImage): boolean => found !== undefined && found.score >= score;
  const accepted = cards.filter(passes);
  return {
    score,
    accepted: shareOf(accepted.length, cards.length),
    right: shareOf(accepted.filter(({ iou }) => iou > right).length, accepted.length),
    falseCards: shareOf(others.filter(passes).length, others.length),
  };
};

/** Compares located cards with the truth, and reports the result of each of `scores` as a gate. */
export const summariseLocation = (
  measured: readonly LocatedImage[],
  scores: readonly number[],
): LocationReport => {
  const cards = measured.flatMap((image): readonly Judged[] => {
    const { truth, found } = image;
    if (truth === null) return [];
    return [{ ...image, iou: found === undefined ? 0 : intersectionOverUnion(found.quad, truth) }];
  });
  const others = measured.filter(({ truth }) => truth === null);
  const ious = cards.map(({ iou }) => iou);
  const times = measured.map(({ ms }) => ms);
  return {
    pictures: measured.length,
    over90: shareOf(ious.filter((iou) => iou > right).length, cards.length),
    over75: shareOf(ious.filter((iou) => iou > nearlyRight).length, cards.length),
    refused: shareOf(cards.filter(({ found }) => found === undefined).length, cards.length),
    medianIou: quantile(ious, 0.5) ?? null,
    gates: scores.map((score) => gateOf(score, cards, others)),
    ms: { median: quantile(times, 0.5) ?? null, p95: quantile(times, 0.95) ?? null },
  };
};
