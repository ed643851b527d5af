import { deflateSync } from "node:zlib";
import { embedFont, glyphCode } from "./embed-font.ts";
import { embedImage } from "./image.ts";
import { pdfDictionary, pdfName, pdfNumbers, pdfStream } from "./make-value.ts";
import type { PdfModel } from "./model.ts";
import { getPage, shapeOf } from "./pages.ts";
import type { WidgetLook } from "./place-field.ts";
import { type Placement, placeOnPage } from "./position.ts";
import type { PdfValue } from "./reader/pdf-value.ts";
import { plainText } from "./text-string.ts";
import { readTrueType, type TrueType } from "./true-type.ts";
import type { VisibleSignature } from "./types.ts";

/** Points. Text is fitted between these sizes; smaller text is not readable on paper. */
const fontSizeMax = 9;
const fontSizeMin = 1;
/** Distance of two lines in font sizes. */
const leading = 1.2;
/** Space between image, text and border in points. */
const margin = 2;
/** Share of the width that an image has beside text. */
const imageShare = 0.45;
const linesMax = 20;

type Area = { readonly x: number; readonly width: number; readonly height: number };

const fixed = (value: number): string => value.toFixed(3);

const drawImage = (image: { readonly width: number; readonly height: number }, area: Area): string => {
  const scale = Math.min(area.width / image.width, area.height / image.height);
  const [width, height] = [image.width * scale, image.height * scale];
  const x = area.x + (area.width - width) / 2;
  return `q ${fixed(width)} 0 0 ${fixed(height)} ${fixed(x)} ${fixed((area.height - height) / 2)} cm /Im0 Do Q\n`;
};

/** The characters that the font has; others become a question mark. */
const drawable = (font: TrueType, text: string): string =>
  Array.from(plainText(text), (char) => (font.glyphOf(char.codePointAt(0) ?? 0) === 0 ? "?" : char)).join("");

const glyphs = (font: TrueType, text: string): string =>
  Array.from(text, (char) => glyphCode(font, char)).join("");

/** The width of a text at the size 1. */
const widthOf = (font: TrueType, text: string): number =>
  Array.from(text).reduce((sum, char) => sum + font.widthOf(font.glyphOf(char.codePointAt(0) ?? 0)), 0) /
  1000;

/** The largest size at which every line fits, by the widths of its glyphs. */
const fitSize = (font: TrueType, lines: readonly string[], area: Area): number => {
  const byHeight = area.height / (lines.length * leading);
  const byWidth = lines.map((line) => area.width / Math.max(0.001, widthOf(font, line)));
  return Math.max(fontSizeMin, Math.min(fontSizeMax, byHeight, ...byWidth));
};

const drawLines = (font: TrueType, lines: readonly string[], area: Area): string => {
  const size = fitSize(font, lines, area);
  const top = area.height - (area.height - lines.length * size * leading) / 2 - size;
  const shown = lines
    .map((line, index) => `${index === 0 ? "" : "T* "}<${glyphs(font, line)}> Tj\n`)
    .join("");
  return `BT /F0 ${fixed(size)} Tf ${fixed(size * leading)} TL ${fixed(area.x)} ${fixed(top)} Td\n${shown}ET\n`;
};

const formObject = (model: PdfModel, at: Placement, content: string, resources: PdfValue): PdfValue =>
  model.register(
    pdfStream(
      {
        Type: pdfName("XObject"),
        Subtype: pdfName("Form"),
        BBox: pdfNumbers([0, 0, at.width, at.height]),
        Matrix: pdfNumbers(at.matrix),
        Resources: resources,
        Filter: pdfName("FlateDecode"),
      },
      deflateSync(Buffer.from(content, "latin1")),
    ),
  );

/**
 * Draws the image left and the lines right of it, upright as the page is displayed, with a subset of the
 * font.
 */
export const drawSignature = (model: PdfModel, visible: VisibleSignature): WidgetLook => {
  const at = placeOnPage(shapeOf(model, getPage(model, visible.pageNumber)), visible.position);
  const hasLines = visible.lines.length > 0;
  const imageWidth = visible.image === undefined ? 0 : hasLines ? at.width * imageShare : at.width;
  let content = "q\n";
  let [images, fonts]: [PdfValue?, PdfValue?] = [];
  if (visible.image !== undefined) {
    const image = embedImage(model, visible.image);
    images = pdfDictionary({ Im0: image.object });
    content += drawImage(image, { x: 0, width: imageWidth, height: at.height });
  }
  if (hasLines) {
    const font = readTrueType(visible.font);
    const lines = visible.lines.slice(0, linesMax).map((line) => drawable(font, line));
    const width = Math.max(1, at.width - imageWidth - 2 * margin);
    content += drawLines(font, lines, { x: imageWidth + margin, width, height: at.height });
    fonts = pdfDictionary({ F0: embedFont(model, font, lines) });
  }
  const resources = pdfDictionary({ XObject: images, Font: fonts });
  return { rect: at.rect, form: formObject(model, at, `${content}Q`, resources) };
};
