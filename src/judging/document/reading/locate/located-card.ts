import type { Quad } from "#machine/imaging/image";

/**
 * A card in a photograph. Corners are in pixels of the given image, clockwise from the corner nearest to the
 * top left.
 */
export type LocatedCard = {
  readonly quad: Quad;
  readonly score: number;
  /** Number of other cards apart from it; absent when none was found. */
  readonly others?: number;
};

/**
 * From `trusted` on, 102 of 102 real frames were right: such a card replaces the frame in all later steps.
 * From `usable` on, 120 of 121: it replaces the frame only when it contains part of a document. From
 * `probable` on, only its colour counts, and only when it contains a portrait.
 */
export const cardScore = { trusted: 1, usable: 0.8, probable: 0.6 } as const;

/** Whether the score of a located card is high enough to use its corners alone. */
export const isTrusted = <Card extends { readonly score: number }>(card: Card | undefined): card is Card =>
  card !== undefined && card.score >= cardScore.trusted;
