import type { Box, Image } from "#imaging/image";
import type { Colour } from "#specimen/canvas";
import { type Outlines, write } from "#specimen/lettering";
import type { TextLine } from "../reading/ocr/text-line.ts";
import { drawBarcode } from "./barcode.ts";
import { drawCard, stamp } from "./card.ts";
import type { DrawnCard } from "./national-cards.ts";

/** An ID-1 card of 85.6 × 54 mm (ISO/IEC 7810) at 20 px per millimetre. */
const pxPerMm = 20;
const width = Math.round(85.6 * pxPerMm);
const height = Math.round(53.98 * pxPerMm);

const ink: Colour = [36, 38, 50];

/** Size of the text: capitals of 1.4 mm. Text without enough space is written smaller. */
const emMm = 1.95;

/** Left edge, top and size of the portrait in mm: a free area in all layouts. */
const portraitPlace = { x: 3, y: 9.5, width: 21, height: 27 } as const;

/**
 * Baselines of three rows of 30 characters, 6.35 mm apart, the last one 4.5 mm above the card's edge (ICAO
 * Doc 9303-5, 4.2).
 */
const mrzBaselinesMm = [37.3, 43.65, 50] as const;

/**
 * Both sides as images: our own background, the texts where the layout has them, a portrait, the MRZ, the
 * barcode.
 */
export type CardImages = { readonly front: Image; readonly back: Image };

/** Draws a card from its layout. `portrait` is 21 : 27 and 420 px wide. `seed` tints the background. */
export const drawNationalCard = async (
  card: DrawnCard,
  portrait: Image,
  outlines: Outlines,
  seed: number,
): Promise<CardImages> => {
  const front = drawCard(width, height, seed);
  stamp(front, portrait, portraitPlace.x * pxPerMm, portraitPlace.y * pxPerMm);
  writeLines(front, card.front, outlines);
  const back = drawCard(width, height, seed + 1);
  writeLines(back, card.back ?? [], outlines);
  writeMrz(back, card.mrz ?? [], outlines);
  if (card.barcode !== undefined) {
    await stampBarcode(back, card.barcode, card.mrz === undefined);
  }
  return { front, back };
};

/** The size that `drawNationalCard` expects of a portrait, in pixels. */
export const portraitSize = {
  width: portraitPlace.width * pxPerMm,
  height: portraitPlace.height * pxPerMm,
} as const;

const writeLines = (side: Image, lines: readonly TextLine[], { sans }: Outlines): void => {
  for (const { text, box } of lines) {
    const length = Array.from(text, (character) => sans[character]?.advance ?? 0).reduce((a, b) => a + b, 0);
    const widthPx = (endOf(box, lines) - box.x) * width;
    const emPx = Math.min(emMm * pxPerMm, (widthPx * 1000) / length);
    write(side, sans, text, {
      x: box.x * width,
      baseline: (box.y + box.height * 0.8) * height,
      emPx,
      colour: ink,
    });
  }
};

/** Start of the next text in the row, or the card's margin. */
const endOf = (box: Box, lines: readonly TextLine[]): number =>
  Math.min(
    0.975,
    ...lines
      .filter((other) => other.box.x > box.x && Math.abs(other.box.y - box.y) < box.height)
      .map((other) => other.box.x - 0.015),
  );

/** OCR-B at ten characters an inch (ICAO Doc 9303-3, 4.3). */
const writeMrz = (side: Image, rows: readonly string[], { ocrB }: Outlines): void =>
  rows.forEach((row, i) =>
    write(side, ocrB, row, {
      x: 4.7 * pxPerMm,
      baseline: mrzBaselinesMm[i]! * pxPerMm,
      emPx: (2.54 * pxPerMm) / 0.723,
      pitchPx: 2.54 * pxPerMm,
      colour: [22, 22, 26],
    }),
  );

/** Right of the centre, above the MRZ; as large as fits there in whole pixels per module. */
const stampBarcode = async (
  side: Image,
  [symbology, text]: NonNullable<DrawnCard["barcode"]>,
  hasWholeSide: boolean,
): Promise<void> => {
  const space = { width: 46 * pxPerMm, height: (hasWholeSide ? 32 : 15.5) * pxPerMm };
  const [left, top] = [side.width - space.width - 2 * pxPerMm, 17 * pxPerMm];
  const small = await drawBarcode(text, symbology, 1);
  const modulePx = Math.floor(Math.min(space.width / small.width, space.height / small.height));
  stamp(side, await drawBarcode(text, symbology, Math.max(1, modulePx)), left, top);
};
