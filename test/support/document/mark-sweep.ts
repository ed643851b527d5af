import { seededRandom } from "#contract/statistics/random";
import type { Image, Imaging } from "#machine/imaging/image";
import { drawColouredCard } from "#sandbox/specimen/cards/blank-card";
import { drawCardSides, portraitSize } from "#sandbox/specimen/cards/draw-card";
import { type Outlines, readOutlines, readTypefaces } from "#sandbox/specimen/lettering";
import { writePassportLines } from "#sandbox/specimen/mrz";
import { drawPaper, drawPassport } from "#sandbox/specimen/passport";
import { passportHolder } from "#sandbox/specimen/passport-photographs";
import { expose } from "#sandbox/specimen/photograph";
import { imageOf } from "../face/images.ts";
import { chile, peru } from "./national-cards.ts";
import { type Mark, type MarkStyle, markStyles, writeMark } from "./specimen-marks.ts";

/** Sizes of the words, as multiples of a tenth of the page's width. */
const scales = [0.8, 1, 1.25] as const;
const angles = [-45, -30, -15, 0, 15, 30, 45] as const;
/** Specimen words in English, French, Spanish, Portuguese and German. */
const words = ["SPECIMEN", "SPÉCIMEN", "ESPÉCIMEN", "MUESTRA", "AMOSTRA", "MUSTER", "ANULADO"] as const;
const inks = [
  [200, 40, 40],
  [40, 60, 150],
  [60, 60, 60],
  [20, 110, 70],
] as const;

/** Of the drawn sides: a passport, both sides of a pale card, and a coloured card. */
const sidesCount = 4;
const facesCount = 3;

/** A drawn side, with a word across it or without. */
export type MarkView = {
  readonly side: number;
  /** Of the noise. */
  readonly seed: number;
  readonly mark?: Mark;
  /** The typeface of the word. */
  readonly face?: number;
};

/** Each style at each size and angle once. The seed draws the word, the side, the ink and the typeface. */
export const markViews = (seed: number): readonly MarkView[] => {
  const random = seededRandom(seed);
  const below = (count: number): number => Math.floor(random() * count);
  const viewOf = (style: MarkStyle, scale: number, angle: number): MarkView => ({
    side: below(sidesCount),
    face: below(facesCount),
    seed: below(1e6),
    mark: {
      text: words[below(words.length)]!,
      at: [0.5 + 0.05 * (random() - 0.5), 0.5 + 0.05 * (random() - 0.5)],
      em: 0.1 * scale,
      angle,
      colour: inks[below(inks.length)]!,
      style,
      opacity: style === "pale" ? 0.25 + 0.2 * random() : 0.8,
    },
  });
  return markStyles.flatMap((style) =>
    scales.flatMap((scale) => angles.map((angle) => viewOf(style, scale, angle))),
  );
};

/** Each side without a word, under three noises. */
export const plainViews: readonly MarkView[] = Array.from({ length: 3 * sidesCount }, (_, seed) => ({
  side: seed % sidesCount,
  seed,
}));

const drawSides = async (imaging: Imaging, outlines: Outlines): Promise<readonly Image[]> => {
  const opened = await imaging.open(imageOf("franck_02159.jpg"));
  const cut = imaging.crop(opened, { x: 270, y: 130, width: 257, height: 330 });
  const portrait = await imaging.resize(cut, portraitSize.width, portraitSize.height);
  const pale = await drawCardSides({ layout: chile, portrait, outlines, seed: 3 });
  const blank = drawColouredCard;
  const coloured = await drawCardSides({ layout: peru, portrait, outlines, seed: 5, blank });
  const lines = writePassportLines(passportHolder);
  const page = { holder: passportHolder, lines, portrait, country: "CHILE" };
  return [drawPassport(page, outlines, drawPaper()), pale.front, coloured.front, pale.back];
};

/** Width of the images, px. */
const width = 1200;

/** Draws the sides once. Then draws views: the words on copies of the sides, under uneven light and noise. */
export const openMarkViews = async (imaging: Imaging) => {
  const faces = Object.values(readTypefaces());
  const sides = await drawSides(imaging, readOutlines());
  return async ({ side, seed, mark, face = 0 }: MarkView): Promise<Image> => {
    const drawn = sides[side]!;
    const page = { ...drawn, data: drawn.data.slice() };
    if (mark !== undefined) writeMark(page, faces[face]!, mark);
    const small = await imaging.resize(page, width, Math.round((page.height * width) / page.width));
    return expose(small, { noise: 2.5, blurPx: 0, falloff: 0.85, seed });
  };
};
