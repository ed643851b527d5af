import { imageOf } from "#face/testing/images";
import type { Imaging } from "#imaging/image";
import { drawColouredCard } from "#specimen/cards/blank-card";
import { drawCardSides, portraitSize } from "#specimen/cards/draw-card";
import { readOutlines } from "#specimen/lettering";
import type { DocumentImages } from "../reading/read-document.ts";
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

/** Draws and photographs the cards of the two persons of a country, in the colours that a judge of attacks expects. */
export const photographTwoCards = async (
  imaging: Imaging,
  country: CrossedCountry,
): Promise<readonly Required<DocumentImages>[]> => {
  const opened = await imaging.open(imageOf("franck_02159.jpg"));
  const cut = imaging.crop(opened, { x: 270, y: 130, width: 257, height: 330 });
  const portrait = await imaging.resize(cut, portraitSize.width, portraitSize.height);
  const outlines = readOutlines();
  return await Promise.all(
    twoCards(country).map(async (layout, i) => {
      const seed = 5 + i;
      const sides = await drawCardSides({ layout, portrait, outlines, seed, blank: drawColouredCard });
      const taken = { ...shot, rotationDegrees: ((seed * 37) % 13) - 6 };
      const [front, back] = await Promise.all([
        imaging.encodeJpeg(photograph(sides.front, { ...taken, seed }).image, 90),
        imaging.encodeJpeg(photograph(sides.back, { ...taken, seed: seed + 50 }).image, 90),
      ]);
      return { front, back };
    }),
  );
};
