import type { Image, Quad } from "#imaging/image";
import { outsideShareOf } from "./geometry.ts";

/**
 * A card in a photograph. Corners are in pixels of the given image, clockwise from the corner nearest to the
 * top left.
 */
export type LocatedCard = {
  readonly quad: Quad;
  /** Probability that the IoU with the true card is over .9, 0…1 (certainty.ts). */
  readonly score: number;
  /** Number of other cards apart from it; absent when none was found. */
  readonly others?: number;
};

/**
 * A `trusted` card replaces the frame in all later steps. A `usable` one replaces it only when it contains
 * part of a document. Of a `probable` one only the colour counts, and only when it contains a portrait. How
 * many are right: docs/measurements/documents.md, Card corners.
 */
export const cardScore = { trusted: 0.9, usable: 0.6, probable: 0.4 } as const;

/** Whether the score of a located card is high enough to use its corners alone. */
export const isTrusted = <Card extends { readonly score: number }>(card: Card | undefined): card is Card =>
  card !== undefined && card.score >= cardScore.trusted;

/** A corner of a card that is not trusted may be outside by this share of the shorter side. */
const outsideShareMax = 0.02;

/**
 * Whether a card may replace the frame where it contains part of a document. A card that the frame cuts must
 * be trusted for that: letters at the cut were read wrongly (docs/decisions/0061).
 */
export const mayReplaceFrame = (
  { quad, score }: LocatedCard,
  image: Pick<Image, "width" | "height">,
): boolean =>
  score >= cardScore.trusted || (score >= cardScore.usable && outsideShareOf(quad, image) <= outsideShareMax);
