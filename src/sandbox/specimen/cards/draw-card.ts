import type { Box, Image } from "#machine/imaging/image";
import type { Colour } from "../canvas.ts";
import { type Outlines, write } from "../lettering.ts";
import { printLinesOver, printPortrait, rasterise } from "../print-portrait.ts";
import { drawBarcode } from "./barcode.ts";
import { drawBlankCard, stamp } from "./blank-card.ts";
import type { CardLayout, PrintedText } from "./card-layout.ts";

/** An ID-1 card of 85.6 × 54 mm (ISO/IEC 7810) at 20 px per millimetre. */
const pxPerMm = 20;
const width = Math.round(85.6 * pxPerMm);
const height = Math.round(53.98 * pxPerMm);

const ink: Colour = [36, 38, 50];

/** Size of the text: capitals of 1.4 mm. Text without enough space is written smaller. */
const emMm = 1.95;

/** Left edge, top and size of the portrait in mm: a free area in all layouts. */
const portraitPlace = { x: 3, y: 9.5, width: 21, height: 27 } as const;

/** Share of the ink of a ghost. */
const ghostDensity = 0.8;

/** In mm: a third of the portrait's area and less. */
const ghostSize = { width: 11, height: 14.1 } as const;

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

/** A pale word across both sides, below everything else. */
export type CardMark = { readonly text: string; readonly colour: Colour; readonly opacity: number };

export type CardDrawing = {
  readonly layout: CardLayout;
  /** 21 : 27 and 420 px wide. */
  readonly portrait: Image;
  readonly outlines: Outlines;
  /** Tints the background. */
  readonly seed: number;
  readonly mark?: CardMark;
  /** Draws the blank side; absent: pale and nearly grey. */
  readonly blank?: (width: number, height: number, seed: number) => Image;
};

/** Draws a card from its layout. */
export const drawCardSides = async (drawing: CardDrawing): Promise<CardImages> => {
  const { layout, portrait, outlines, seed, blank = drawBlankCard } = drawing;
  const [front, back] = [blank(width, height, seed), blank(width, height, seed + 1)];
  for (const side of [front, back]) writeAcross(side, drawing);
  printPortraits(front, portrait, layout, seed);
  rasterise(front, seed);
  writeTexts(front, layout.front, outlines);
  writeTexts(back, layout.back ?? [], outlines);
  writeMrz(back, layout.mrz ?? [], outlines);
  if (layout.barcode !== undefined) {
    await stampBarcode(back, layout.barcode, layout.mrz === undefined);
  }
  return { front, back };
};

/** The size that `drawCardSides` expects of a portrait, in pixels. */
export const portraitSize = {
  width: portraitPlace.width * pxPerMm,
  height: portraitPlace.height * pxPerMm,
} as const;

/** The portrait with the lines over it, and its ghost where the layout has one. */
const printPortraits = (
  front: Image,
  portrait: Image,
  { ink: portraitInk = "colour", ghost }: CardLayout,
  seed: number,
): void => {
  const place = inPixels(portraitPlace);
  printPortrait(front, portrait, { ink: portraitInk, place });
  if (ghost !== undefined) {
    const [x, y] = ghost;
    printPortrait(front, portrait, {
      ink: "black",
      place: inPixels({ ...ghostSize, x, y }),
      density: ghostDensity,
    });
  }
  printLinesOver(front, place, pxPerMm, seed);
};

const inPixels = ({ x, y, width: wide, height: high }: Box): Box => ({
  x: x * pxPerMm,
  y: y * pxPerMm,
  width: wide * pxPerMm,
  height: high * pxPerMm,
});

/** Rising across the side, below the print. */
const writeAcross = (side: Image, { mark, outlines }: CardDrawing): void => {
  if (mark === undefined) return;
  const { text, colour, opacity } = mark;
  const across = { x: 0.3 * width, baseline: 0.82 * height, emPx: 0.083 * width, rotation: -0.3 };
  write(side, outlines.sans, text, { ...across, colour, opacity });
};

const writeTexts = (side: Image, texts: readonly PrintedText[], { sans }: Outlines): void => {
  for (const { text, box } of texts) {
    const length = Array.from(text, (character) => sans[character]?.advance ?? 0).reduce((a, b) => a + b, 0);
    const widthPx = (endOf(box, texts) - box.x) * width;
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
const endOf = (box: Box, texts: readonly PrintedText[]): number =>
  Math.min(
    0.975,
    ...texts
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
  [symbology, text]: NonNullable<CardLayout["barcode"]>,
  hasWholeSide: boolean,
): Promise<void> => {
  const space = { width: 46 * pxPerMm, height: (hasWholeSide ? 20 : 15.5) * pxPerMm };
  const [left, top] = [side.width - space.width - 2 * pxPerMm, 17 * pxPerMm];
  const small = await drawBarcode(text, symbology, 1);
  const modulePx = Math.floor(Math.min(space.width / small.width, space.height / small.height));
  stamp(side, await drawBarcode(text, symbology, Math.max(1, modulePx)), left, top);
};
