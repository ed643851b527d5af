import { createHash } from "node:crypto";
import { deflateSync } from "node:zlib";
import {
  pdfArray,
  pdfDictionary,
  pdfName,
  pdfNumber,
  pdfNumbers,
  pdfStream,
  pdfString,
} from "./make-value.ts";
import type { PdfModel } from "./model.ts";
import type { PdfValue } from "./reader/pdf-value.ts";
import type { TrueType } from "./true-type.ts";

const hex4 = (number: number): string => number.toString(16).padStart(4, "0");

/** The code of a glyph in the shown text: its number. */
export const glyphCode = (font: TrueType, char: string): string =>
  hex4(font.glyphOf(char.codePointAt(0) ?? 0));

const compressed = (data: Buffer, entries: Readonly<Record<string, PdfValue>> = {}): PdfValue =>
  pdfStream({ ...entries, Filter: pdfName("FlateDecode") }, deflateSync(data));

/** Codes to Unicode (ISO 32000-2, 9.10.3): the text can be searched and copied. */
const unicodeMap = (glyphs: ReadonlyMap<number, string>): string => {
  const rows = [...glyphs].map(
    ([glyph, char]) => `<${hex4(glyph)}> <${Buffer.from(char, "utf16le").swap16().toString("hex")}>`,
  );
  // A block has at most 100 rows.
  const blocks = Array.from({ length: Math.ceil(rows.length / 100) }, (_, block) => {
    const part = rows.slice(100 * block, 100 * (block + 1));
    return `${part.length} beginbfchar\n${part.join("\n")}\nendbfchar`;
  });
  return [
    "/CIDInit /ProcSet findresource begin\n12 dict begin\nbegincmap",
    "/CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def",
    "/CMapName /Adobe-Identity-UCS def\n/CMapType 2 def",
    "1 begincodespacerange\n<0000> <FFFF>\nendcodespacerange",
    ...blocks,
    "endcmap\nCMapName currentdict /CMap defineresource pop\nend\nend",
  ].join("\n");
};

/** Six capital letters before the name of a subset, other ones for other glyphs (ISO 32000-2, 9.9.2). */
const tagOf = (file: Buffer): string =>
  Array.from(createHash("sha256").update(file).digest().subarray(0, 6), (byte) =>
    String.fromCharCode(65 + (byte % 26)),
  ).join("");

/** Symbolic, and one width or slanted where the font is (ISO 32000-2, table 121). */
const flagsOf = (font: TrueType): number =>
  4 + (font.isFixedPitch ? 1 : 0) + (font.italicAngle === 0 ? 0 : 64);

/** What readers assume for a width of stems that a font does not state. */
const stemWidth = 80;

/** Embeds the glyphs of these texts as a composite font whose codes are glyph numbers (ISO 32000-2, 9.7). */
export const embedFont = (model: PdfModel, font: TrueType, texts: readonly string[]): PdfValue => {
  const glyphs = new Map(
    Array.from(texts.join(""), (char) => [font.glyphOf(char.codePointAt(0) ?? 0), char] as const),
  );
  const file = font.subset(glyphs.keys());
  const name = pdfName(`${tagOf(file)}+${font.name}`);
  const descriptor = pdfDictionary({
    Type: pdfName("FontDescriptor"),
    FontName: name,
    Flags: pdfNumber(flagsOf(font)),
    FontBBox: pdfNumbers(font.box),
    ItalicAngle: pdfNumber(font.italicAngle),
    Ascent: pdfNumber(font.ascent),
    Descent: pdfNumber(font.descent),
    CapHeight: pdfNumber(font.capHeight),
    StemV: pdfNumber(stemWidth),
    FontFile2: model.register(compressed(file, { Length1: pdfNumber(file.length) })),
  });
  const descendant = pdfDictionary({
    Type: pdfName("Font"),
    Subtype: pdfName("CIDFontType2"),
    BaseFont: name,
    CIDSystemInfo: pdfDictionary({
      Registry: pdfString(Buffer.from("Adobe")),
      Ordering: pdfString(Buffer.from("Identity")),
      Supplement: pdfNumber(0),
    }),
    CIDToGIDMap: pdfName("Identity"),
    W: pdfArray([...glyphs.keys()].flatMap((glyph) => [pdfNumber(glyph), pdfNumbers([font.widthOf(glyph)])])),
    FontDescriptor: model.register(descriptor),
  });
  return model.register(
    pdfDictionary({
      Type: pdfName("Font"),
      Subtype: pdfName("Type0"),
      BaseFont: name,
      Encoding: pdfName("Identity-H"),
      DescendantFonts: pdfArray([model.register(descendant)]),
      ToUnicode: model.register(compressed(Buffer.from(unicodeMap(glyphs)))),
    }),
  );
};
