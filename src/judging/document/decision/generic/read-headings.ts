import type { TextLine } from "../../reading/ocr/text-line.ts";
import { findLabel } from "../viz/find-label.ts";
import type { NormalisedText, NormaliseText } from "../viz/normalise-text.ts";
import { countryHeadings } from "./country-headings.ts";
import { type HeadedKind, kindHeadings } from "./headings.ts";

/**
 * The kind and the issuing country that the headings of a card name; each absent where none or several are
 * named.
 */
export type CardHeadings = { readonly kind?: HeadedKind; readonly country?: string };

/** Below it, other words are within one wrong letter: CHILE and CHILD. */
const lettersForEdits = 8;
/** A heading stands in the upper part of its side. The number is our choice. */
const headingBottom = 0.4;
/**
 * Share of a line's letters that the country's name has, unless the line names the kind too. The number is
 * our choice.
 */
const countryShareMin = 0.6;

/** Every heading that is looked for. */
export const headingSpellings: readonly string[] = [
  ...Object.values(kindHeadings).flat(),
  ...Object.values(countryHeadings).flat(),
];

/**
 * Reads the headings of a card without MRZ, barcode and model. A place of birth further down is no issuer.
 */
export const readHeadings = (lines: readonly TextLine[], normaliseText: NormaliseText): CardHeadings => {
  const heading = lines.filter(({ box }) => box.y < headingBottom).map(({ text }) => normaliseText(text));
  const holds = (line: NormalisedText, spelling: string): boolean => {
    const sought = normaliseText(spelling);
    const found = findLabel(line, sought);
    return found !== undefined && (found.edits === 0 || sought.text.length >= lettersForEdits);
  };
  const longestIn = (of: readonly NormalisedText[], spellings: readonly string[]): number =>
    Math.max(
      0,
      ...spellings.map((spelling) =>
        of.some((line) => holds(line, spelling)) ? normaliseText(spelling).text.length : 0,
      ),
    );
  const namesKind = (line: NormalisedText): boolean =>
    Object.values(kindHeadings).some((spellings) => spellings.some((spelling) => holds(line, spelling)));
  const named = heading.map((line) => ({ line, isOfKind: namesKind(line) }));
  const kind = longestOf(Object.entries(kindHeadings), (spellings) => longestIn(heading, spellings));
  const country = longestOf(Object.entries(countryHeadings), (spellings) =>
    Math.max(
      0,
      ...named.map(({ line, isOfKind }) => {
        const length = longestIn([line], spellings);
        return length >= countryShareMin * line.text.length || isOfKind ? length : 0;
      }),
    ),
  );
  return {
    ...(kind !== undefined && isKind(kind) ? { kind } : {}),
    ...(country === undefined ? {} : { country }),
  };
};

const isKind = (key: string): key is HeadedKind => Object.hasOwn(kindHeadings, key);

/**
 * The entry with the longest heading: WEST VIRGINIA is more than VIRGINIA, and RESIDENCE CARD more than a
 * word within it. Undefined without a heading, or where two entries have headings of one length.
 */
const longestOf = (
  entries: readonly (readonly [string, readonly string[]])[],
  lengthOf: (spellings: readonly string[]) => number,
): string | undefined => {
  const found = entries
    .map(([key, spellings]) => ({ key, length: lengthOf(spellings) }))
    .filter(({ length }) => length > 0)
    .toSorted((a, b) => b.length - a.length);
  return found[0] !== undefined && found[0].length > (found[1]?.length ?? 0) ? found[0].key : undefined;
};
