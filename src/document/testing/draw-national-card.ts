import type { Image } from "#imaging/image";
import { type CardImages, drawCardSides } from "#specimen/cards/draw-card";
import type { Outlines } from "#specimen/lettering";
import type { DrawnCard } from "./national-cards.ts";

/** Draws a card of the tests from its layout. `portrait` is 21 : 27 and 420 px wide. `seed` tints the background. */
export const drawNationalCard = (
  layout: DrawnCard,
  portrait: Image,
  outlines: Outlines,
  seed: number,
): Promise<CardImages> => drawCardSides({ layout, portrait, outlines, seed });
