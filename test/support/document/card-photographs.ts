import type { Image, Imaging } from "#machine/imaging/image";
import { portraitSize } from "#sandbox/specimen/cards/draw-card";
import { readOutlines } from "#sandbox/specimen/lettering";
import { imageOf } from "../face/images.ts";
import { drawNationalCard } from "./draw-national-card.ts";
import type { DrawnCard } from "./national-cards.ts";
import { photograph, type Shot } from "./photograph.ts";

/** Photographs both sides of a card, hand-held. */
export type PhotographCard = (
  card: DrawnCard,
  seed: number,
  change?: Partial<Shot>,
) => Promise<{
  readonly front: Uint8Array;
  readonly back: Uint8Array;
}>;

/** An image of three megapixels from a telephone in fair light. */
const shotOf = (seed: number): Shot => ({
  width: 2016,
  height: 1512,
  share: 0.82,
  rotationDegrees: ((seed * 37) % 13) - 6,
  tilt: 0.03,
  blurPx: 0.8,
  noise: 3,
  light: 0.2,
  seed,
});

/** Draws and photographs cards with a portrait from a package of test images. */
export const makePhotographCard = async (imaging: Imaging): Promise<PhotographCard> => {
  const opened = await imaging.open(imageOf("franck_02159.jpg"));
  const cut = imaging.crop(opened, { x: 270, y: 130, width: 257, height: 330 });
  const portrait = await imaging.resize(cut, portraitSize.width, portraitSize.height);
  const outlines = readOutlines();
  return async (card, seed, change = {}) => {
    const { front, back } = await drawNationalCard(card, portrait, outlines, seed);
    const encode = (side: Image, own: number): Promise<Uint8Array> =>
      imaging.encodeJpeg(photograph(side, { ...shotOf(own), ...change }).image, 90);
    return { front: await encode(front, seed), back: await encode(back, seed + 50) };
  };
};
