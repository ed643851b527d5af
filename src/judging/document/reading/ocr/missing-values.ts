import type { Box, GreyImage } from "#machine/imaging/image";
import { letterIn } from "./single-letter.ts";
import type { TextLine } from "./text-line.ts";
import type { LineBand } from "./text-lines.ts";

/** A value of one letter that a label announces and for which no line was found. */
export type MissingValue = {
  /** Where it may stand, as shares of the side. */
  readonly places: readonly Box[];
  /** Whether a text is such a value. */
  readonly fits: (text: string) => boolean;
};

/**
 * Finds the missing values of an upright side in its lines. Pure. Made by makeFindMissingValues
 * (decision/viz).
 */
export type FindMissingValues = (lines: readonly TextLine[]) => readonly MissingValue[];

/** A letter at a place of a missing value; its box in pixels. */
export type FoundLetter = { readonly of: MissingValue; readonly box: Box };

/** At most this many places of a side are searched. Our choice: two values with three places each. */
export const placesMax = 6;

/** The letters at the places of missing values, in their order. */
export const lettersAt = (side: GreyImage, missing: readonly MissingValue[]): readonly FoundLetter[] =>
  missing
    .flatMap((of) => of.places.map((place) => ({ of, place })))
    .slice(0, placesMax)
    .flatMap(({ of, place }) => {
      const box = letterIn(side, {
        x: place.x * side.width,
        y: place.y * side.height,
        width: place.width * side.width,
        height: place.height * side.height,
      });
      return box === undefined ? [] : [{ of, box }];
    });

/**
 * Height of a line around a capital letter, and its margin before and after, in heights of the letter: of 1.2
 * to 1.8 and of 0.1 to 1 these were read with the highest confidence (docs/measurements/documents.md, "Single
 * letters").
 */
const around = { height: 1.3, margin: 0.25 } as const;

/** The line that holds one letter. */
export const bandOfLetter = ({ x, y, width, height }: Box): LineBand => ({
  from: x - around.margin * height,
  to: x + width + around.margin * height,
  across: y + height / 2,
  pivot: x,
  height: around.height * height,
  tilt: 0,
});

/** Confidence from which a letter at a place is a value: as high as a printed text needs to count. */
export const letterConfidenceMin = 0.9;

/**
 * The values that were read with enough confidence. Where two places of one value hold different ones, it has
 * none.
 */
export const linesOfMissing = (
  read: readonly (TextLine & Pick<FoundLetter, "of">)[],
): readonly TextLine[] => {
  const fitting = read.filter(
    ({ of, text, confidence }) => confidence >= letterConfidenceMin && of.fits(text),
  );
  return [...Map.groupBy(fitting, ({ of }) => of).values()].flatMap((lines) =>
    new Set(lines.map(({ text }) => text)).size === 1
      ? lines.slice(0, 1).map(({ text, confidence, box }) => ({ text, confidence, box }))
      : [],
  );
};
