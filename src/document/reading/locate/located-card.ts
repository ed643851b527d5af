import type { Quad } from "#imaging/image";

/**
 * A card in a photograph. Corners are in pixels of the given image, clockwise from the corner nearest to the
 * top left. `score`, 0…1: the probability that the intersection over union with the card is over .9, as
 * `scoreOf` calibrates it.
 */
export type LocatedCard = {
  readonly quad: Quad;
  readonly score: number;
  /** Number of other cards apart from it; absent when none was found. */
  readonly others?: number;
};

/**
 * A `trusted` card replaces the frame in all later steps. From `usable` on, it replaces the frame only when it
 * contains part of a document. From `probable` on, only its colour counts, and only when it contains a
 * portrait: corners that are off by a tenth do for that. The share of right cards at each: docs/measurements/documents.md, "Cards in photographs".
 */
export const cardScore = { trusted: 0.9, usable: 0.7, probable: 0.2 } as const;

/** Whether the score of a located card is high enough to use its corners alone. */
export const isTrusted = <Card extends { readonly score: number }>(card: Card | undefined): card is Card =>
  card !== undefined && card.score >= cardScore.trusted;

/** Logistic regression on the logarithm of the disagreement, fitted to drawn photographs (documents.md). */
const calibration = { offset: -6.18, slope: -2.59 };
/** Beyond it the logarithm says nothing more. */
const agreementMax = 0.9999;

/** The score of a quadrilateral that agrees this much, 0…1, with the network's map of a card. */
export const scoreOf = (agreement: number): number => {
  const disagreement = 1 - Math.min(agreementMax, agreement);
  return 1 / (1 + Math.exp(-(calibration.offset + calibration.slope * Math.log(disagreement))));
};
