import type { TextLine } from "#judging/document/reading/ocr/text-line";

/** Width of a character and height of a line as shares of a card's width and height, for text of 2.2 mm. */
const characterWidth = 0.016;
const lineHeight = 0.042;

/** A line as a reader returns it: its left edge and its top as shares of the side. */
export const line = (x: number, y: number, text: string, confidence = 0.98): TextLine => ({
  text,
  confidence,
  box: { x, y, width: text.length * characterWidth, height: lineHeight },
});

/** Lines from rows of `[left, top, text]`. */
export const printed = (...rows: readonly (readonly [number, number, string])[]): readonly TextLine[] =>
  rows.map(([x, y, text]) => line(x, y, text));
