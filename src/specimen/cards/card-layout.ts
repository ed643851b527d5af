import type { Symbology } from "#document/reading/barcode/zxing";
import type { Box } from "#imaging/image";

/** A printed text; its box in shares of the side. */
export type PrintedText = { readonly text: string; readonly box: Box };

/** What stands on a card. Our own design: headings, labels and forms are those that readers expect, nothing else is copied. */
export type CardLayout = {
  readonly front: readonly PrintedText[];
  readonly back?: readonly PrintedText[];
  readonly mrz?: readonly string[];
  readonly barcode?: readonly [Symbology, string];
};

/** Width of a character and height of a line as shares of a card's width and height, for text of 2.2 mm. */
const characterWidth = 0.016;
const lineHeight = 0.042;

/** Texts from rows of `[left, top, text]`, in shares of the side. */
export const printed = (...rows: readonly (readonly [number, number, string])[]): readonly PrintedText[] =>
  rows.map(([x, y, text]) => ({
    text,
    box: { x, y, width: text.length * characterWidth, height: lineHeight },
  }));
