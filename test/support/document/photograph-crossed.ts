import type { DocumentImages } from "#judging/document/reading/read-document";
import type { Image, Imaging } from "#machine/imaging/image";
import { drawColouredCard } from "#sandbox/specimen/cards/blank-card";
import type { CardLayout } from "#sandbox/specimen/cards/card-layout";
import { type CardImages, drawCardSides, portraitSize } from "#sandbox/specimen/cards/draw-card";
import { type Outlines, readOutlines } from "#sandbox/specimen/lettering";
import { imageOf } from "../face/images.ts";
import { type CrossedCountry, twoCards } from "./crossed-cards.ts";
import { photograph } from "./photograph.ts";

const shot = {
  width: 2016,
  height: 1512,
  share: 0.82,
  tilt: 0.03,
  blurPx: 0.8,
  noise: 3,
  light: 0.2,
} as const;

/** Draws cards with one portrait, and photographs their sides. */
export type Studio = {
  readonly imaging: Imaging;
  readonly portrait: Image;
  readonly outlines: Outlines;
  readonly draw: (layout: CardLayout, seed: number) => Promise<CardImages>;
  /** `share`: of the image's width. One seed places both sides of a card alike. */
  readonly shoot: (
    side: Image,
    seed: number,
    how?: { readonly isBack?: true; readonly share?: number },
  ) => Image;
  readonly encode: (image: Image) => Promise<Uint8Array>;
};

/** Opens a studio for cards in the colours that a judge of attacks expects. */
export const openStudio = async (imaging: Imaging): Promise<Studio> => {
  const opened = await imaging.open(imageOf("franck_02159.jpg"));
  const cut = imaging.crop(opened, { x: 270, y: 130, width: 257, height: 330 });
  const portrait = await imaging.resize(cut, portraitSize.width, portraitSize.height);
  const outlines = readOutlines();
  return {
    imaging,
    portrait,
    outlines,
    draw: async (layout, seed) =>
      await drawCardSides({ layout, portrait, outlines, seed, blank: drawColouredCard }),
    shoot: (side, seed, { isBack, share = shot.share } = {}) =>
      photograph(side, {
        ...shot,
        share,
        rotationDegrees: ((seed * 37) % 13) - 6,
        seed: isBack ? seed + 50 : seed,
      }).image,
    encode: async (image) => await imaging.encodeJpeg(image, 90),
  };
};

type TwoCards = readonly [Required<DocumentImages>, Required<DocumentImages>];

const drawTwoCards = async (imaging: Imaging, country: CrossedCountry): Promise<TwoCards> => {
  const { draw, shoot, encode } = await openStudio(imaging);
  const photographOf = async (layout: CardLayout, seed: number): Promise<Required<DocumentImages>> => {
    const sides = await draw(layout, seed);
    const [front, back] = await Promise.all([
      encode(shoot(sides.front, seed)),
      encode(shoot(sides.back, seed, { isBack: true })),
    ]);
    return { front, back };
  };
  const [one, other] = twoCards(country);
  return [await photographOf(one, 5), await photographOf(other, 6)];
};

const photographed = new Map<CrossedCountry, Promise<TwoCards>>();

/**
 * The photographed cards of the two persons of a country, drawn once for all test files of a worker: drawing
 * them takes five seconds of a processor.
 */
export const photographTwoCards = (imaging: Imaging, country: CrossedCountry): Promise<TwoCards> => {
  const cards = photographed.get(country) ?? drawTwoCards(imaging, country);
  photographed.set(country, cards);
  return cards;
};
