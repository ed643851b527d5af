import type { Quad } from "#imaging/image";
import { quantile } from "#statistics/quantile";
import { rateOf } from "#statistics/rate";
import { intersectionOverUnion } from "./geometry.ts";

/** One picture of a list: where its card lies (null: it shows none) and what was found, in pixels of the file. */
export type LocatedPicture = {
  readonly truth: Quad | null;
  /** Absent: nothing was found. */
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

/** What would be taken if only scores from `score` on were. */
export type GateFigures = {
  readonly score: number;
  /** Of the pictures with a card: accepted, and of these with an IoU over .9. */
  readonly accepted: Share;
  readonly right: Share;
  /** Of the pictures without a card. */
  readonly falseCards: Share;
};

export type LocationReport = {
  readonly pictures: number;
  /** Of the pictures with a card. */
  readonly over90: Share;
  readonly over75: Share;
  readonly refused: Share;
  readonly medianIou: number | null;
  readonly gates: readonly GateFigures[];
  readonly ms: { readonly median: number | null; readonly p95: number | null };
};

/** The share of a card's area that must agree, as the field counts a card located (SmartDoc, MIDV). */
const right = 0.9;
const nearlyRight = 0.75;

const shareOf = (count: number, n: number): Share => {
  const { low, high } = rateOf(count, n);
  return { count, n, share: n === 0 ? null : count / n, bounds: { low, high } };
};

type Judged = LocatedPicture & { readonly iou: number };

const gateOf = (score: number, cards: readonly Judged[], others: readonly LocatedPicture[]): GateFigures => {
  const passes = ({ found }: LocatedPicture): boolean => found !== undefined && found.score >= score;
  const accepted = cards.filter(passes);
  return {
    score,
    accepted: shareOf(accepted.length, cards.length),
    right: shareOf(accepted.filter(({ iou }) => iou > right).length, accepted.length),
    falseCards: shareOf(others.filter(passes).length, others.length),
  };
};

/** Judges located cards against the truth, and says what each of `scores` would be worth as a gate. */
export const summariseLocation = (
  measured: readonly LocatedPicture[],
  scores: readonly number[],
): LocationReport => {
  const cards = measured.flatMap((picture): readonly Judged[] => {
    const { truth, found } = picture;
    if (truth === null) return [];
    return [{ ...picture, iou: found === undefined ? 0 : intersectionOverUnion(found.quad, truth) }];
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
