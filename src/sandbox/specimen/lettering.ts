import { readFileSync } from "node:fs";
import { Type } from "typebox";
import { makeCheck } from "#contract/make-check";
import type { Image, Point } from "#machine/imaging/image";
import { type Colour, fill, type Ring } from "./canvas.ts";

/** Typefaces of drawn cards: a sans serif, a condensed and one with serifs. */
export const typefaceNames = ["sans", "condensed", "serif"] as const;

export type TypefaceName = (typeof typefaceNames)[number];

const glyph = Type.Object({ advance: Type.Number(), contours: Type.Array(Type.Array(Type.Number())) });
const glyphSet = Type.Record(Type.String(), glyph);
const outlinesFile = makeCheck(Type.Object({ ocrB: glyphSet, sans: glyphSet }));
const typefacesFile = makeCheck(Type.Object({ sans: glyphSet, condensed: glyphSet, serif: glyphSet }));

type Glyph = { readonly advance: number; readonly contours: readonly (readonly number[])[] };

/** Letter shapes as polygons, 1000 units per em, y upwards: no font needs to be installed. */
export type Outlines = {
  readonly ocrB: Readonly<Record<string, Glyph>>;
  readonly sans: Readonly<Record<string, Glyph>>;
};

const parseGenerated = (file: string): unknown =>
  JSON.parse(readFileSync(new URL(`./${file}`, import.meta.url), "utf8"));

/** Reads the outlines that scripts/extract-outlines.py wrote. */
export const readOutlines = (): Outlines => {
  const parsed = parseGenerated("outlines.generated.json");
  if (!outlinesFile.Check(parsed)) {
    throw new Error("outlines.generated.json is not what this version expects");
  }
  return parsed;
};

/**
 * The outlines with the letters of each typeface in place of the sans serif. They have the marks of six
 * languages.
 */
export const readTypefaces = (): Readonly<Record<TypefaceName, Outlines>> => {
  const parsed = parseGenerated("typefaces.generated.json");
  if (!typefacesFile.Check(parsed)) {
    throw new Error("typefaces.generated.json is not what this version expects");
  }
  const { ocrB } = readOutlines();
  const of = (name: TypefaceName): Outlines => ({ ocrB, sans: parsed[name] });
  return { sans: of("sans"), condensed: of("condensed"), serif: of("serif") };
};

export type Lettering = {
  readonly x: number;
  readonly baseline: number;
  readonly emPx: number;
  readonly colour: Colour;
  readonly opacity?: number;
  /** Fixed step from character to character in pixels; absent: each character's own step. */
  readonly pitchPx?: number;
  /** Rotation around the start of the line, in radians, clockwise. */
  readonly rotation?: number;
};

/** Writes one line. Throws for a character without an outline: a specimen must show its exact text. */
export const write = (image: Image, glyphs: Outlines["sans"], text: string, how: Lettering): void => {
  const scale = how.emPx / 1000;
  const cos = Math.cos(how.rotation ?? 0);
  const sin = Math.sin(how.rotation ?? 0);
  let pen = 0;
  for (const character of text) {
    const shape = glyphs[character];
    if (shape === undefined) {
      throw new Error(`No outline for the character U+${character.codePointAt(0)?.toString(16)}`);
    }
    const place = (x: number, y: number): Point => {
      const along = pen + x * scale;
      const down = -y * scale;
      return [how.x + along * cos - down * sin, how.baseline + along * sin + down * cos];
    };
    if (shape.contours.length > 0) {
      fill(
        image,
        shape.contours.map((contour) => ringOf(contour, place)),
        how.colour,
        how.opacity,
      );
    }
    pen += how.pitchPx ?? shape.advance * scale;
  }
};

const ringOf = (contour: readonly number[], place: (x: number, y: number) => Point): Ring =>
  Array.from({ length: contour.length / 2 }, (_, index) =>
    place(contour[index * 2]!, contour[index * 2 + 1]!),
  );
