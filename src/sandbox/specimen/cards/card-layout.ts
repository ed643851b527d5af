import type { Symbology } from "#judging/document/reading/barcode/zxing";
import type { Box } from "#machine/imaging/image";
import type { PortraitInk } from "../print-portrait.ts";

/** `label`: its value is beside or below it. `line`: label and value, with a colon between. */
export type TextRole = "label" | "line";

/** A printed text; its box in shares of the side. */
export type PrintedText = { readonly text: string; readonly box: Box; readonly role?: TextRole };

/**
 * The texts of a card. The design is our own: headings, labels and forms are those that readers expect, and
 * nothing else is copied.
 */
export type CardLayout = {
  readonly front: readonly PrintedText[];
  readonly back?: readonly PrintedText[];
  readonly mrz?: readonly string[];
  readonly barcode?: readonly [Symbology, string];
  /** How the portrait is printed; absent: in colour. */
  readonly ink?: PortraitInk;
  /** Left edge and top of a second, smaller and paler portrait on the front, in mm. */
  readonly ghost?: readonly [x: number, y: number];
};

/** Width of a character and height of a line as shares of a card's width and height, for text of 2.2 mm. */
const characterWidth = 0.016;
export const lineHeight = 0.042;

/** Left edge, top and text, in shares of the side. */
export type PrintedRow = readonly [x: number, y: number, text: string, role?: TextRole];

/** Texts from their rows. */
export const printed = (...rows: readonly PrintedRow[]): readonly PrintedText[] =>
  rows.map(([x, y, text, role]) => ({
    text,
    box: { x, y, width: text.length * characterWidth, height: lineHeight },
    ...(role === undefined ? {} : { role }),
  }));
