import type { Image } from "#machine/imaging/image";
import { type CardImages, drawCardSides } from "#sandbox/specimen/cards/draw-card";
import type { Outlines } from "#sandbox/specimen/lettering";
import type { DrawnCard } from "./national-cards.ts";

/**
 * Draws a card of the tests from its layout. `portrait` is 21 : 27 and 420 px wide. `seed` tints the
 * background.
 */
export const drawNationalCard = (
  layout: DrawnCard,
  portrait: Image,
  outlines: Outlines,
  seed: number,
): Promise<CardImages> => drawCardSides({ layout, portrait, outlines, seed });
