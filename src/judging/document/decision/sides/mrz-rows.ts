import type { TextLine } from "../../reading/ocr/text-line.ts";
import { asDigit } from "../../values/look-alikes.ts";

/** The lines of each MRZ that was found on the images of a document. */
export type MrzRows = readonly (readonly string[])[];

/** The letters and digits of a text. */
export const bareOf = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");

/** The letters and digits of a text, those that readers confuse as one. */
export const looksOf = (text: string): string =>
  Array.from(bareOf(text), (char) => asDigit(char) ?? char).join("");

/**
 * A shorter text may be a number or a name that stands in print too. Our choice: the longest number of a
 * first line has 9 characters.
 */
const traceLengthMin = 10;

/** Which line of its MRZ a text is, or is a part of, from 0; -1 where it is none. */
export const rowOf = (mrzs: MrzRows, text: string): number => {
  const looks = looksOf(text);
  return looks.length < traceLengthMin
    ? -1
    : (mrzs.map((rows) => rows.findIndex((row) => looksOf(row).includes(looks))).find((row) => row >= 0) ??
        -1);
};

/**
 * What stands before the numbers of a first line, and before the optional data of a second one (ICAO Doc
 * 9303-5, 4.2.2). A part that begins there is no number alone.
 */
const headOf = [5, 18] as const;

/**
 * A part of a line of an MRZ with what stands before its numbers: print may have a number or a name alone in
 * the same order.
 */
const isPartWithHead = (mrzs: MrzRows, text: string): boolean =>
  looksOf(text).length >= traceLengthMin &&
  mrzs.some((rows) =>
    headOf.some((head, i) => {
      const row = rows[i] ?? "";
      const at = looksOf(row).indexOf(looksOf(text));
      return at >= 0 && at < bareOf(row.slice(0, head)).length;
    }),
  );

/**
 * Whether a printed line is a line of an MRZ or a part of one, by its fillers or by its letters and digits.
 */
export const isMrzTrace = (mrzs: MrzRows, { text }: TextLine): boolean =>
  text.includes("<<") || (/\d/.test(text) && isPartWithHead(mrzs, text));

/**
 * The lines of an MRZ among printed lines, with parts that have one filler alone. Empty where no line shows
 * an MRZ.
 */
export const mrzLinesIn = (mrzs: MrzRows, lines: readonly TextLine[]): readonly TextLine[] =>
  lines.some((line) => isMrzTrace(mrzs, line))
    ? lines.filter((line) => line.text.includes("<") || isMrzTrace(mrzs, line))
    : [];

/** The lines apart from those of an MRZ, and from what stands between them. */
export const linesApartFrom = (mrzs: MrzRows, lines: readonly TextLine[]): readonly TextLine[] => {
  const found = mrzLinesIn(mrzs, lines);
  const [top, bottom] = [
    Math.min(...found.map(({ box }) => box.y)),
    Math.max(...found.map(({ box }) => box.y + box.height)),
  ];
  const [left, right] = [
    Math.min(...found.map(({ box }) => box.x)),
    Math.max(...found.map(({ box }) => box.x + box.width)),
  ];
  return lines.filter(({ box: { x, y, width, height } }) => {
    const [middle, centre] = [x + width / 2, y + height / 2];
    return !(middle >= left && middle <= right && centre >= top && centre <= bottom);
  });
};
