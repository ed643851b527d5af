import type { Box } from "#machine/imaging/image";
import type { Barcode } from "../../reading/barcode/barcode.ts";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import type { DocumentFields, FieldSources } from "../fields.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import { isMrzOfPage, isPageFormat } from "./contradiction.ts";
import { isMrzTrace, linesApartFrom, type MrzRows, mrzLinesIn, rowOf } from "./mrz-rows.ts";

/** Print of one side: its lines, and whether a reading is of them. The rows of an MRZ are no print. */
export type SidePrint = {
  readonly lines: readonly TextLine[];
  readonly hasPrinted: (reading: FieldReading) => boolean;
};

/**
 * The print of the portrait's side: that of the front's image, apart from the card of an MRZ or barcode that
 * belongs on a back. An image may show a back beneath a face or beside another card, and a back prints its
 * own number. Pure.
 */
export const portraitSideOf = (fields: DocumentFields, sources: FieldSources): SidePrint => {
  const { lines } = sources.front;
  const rows = rowsOf(fields, sources);
  const isApart = isBackShown(fields, sources, rows) ? apartFromCard(rows, lines) : () => true;
  return {
    lines: linesApartFrom(rows, lines).filter(({ box }) => isApart(box)),
    hasPrinted: ({ source, side, box }) => source === "print" && side === "front" && isApart(box),
  };
};

/** The print of the other image. What it shows too is no sign of the portrait's side. Pure. */
export const otherSideOf = (fields: DocumentFields, sources: FieldSources): SidePrint => ({
  lines: linesApartFrom(rowsOf(fields, sources), sources.back?.lines ?? []),
  hasPrinted: ({ source, side }) => source === "print" && side === "back",
});

/** The lines of each MRZ that was found, accepted or not. */
const rowsOf = ({ mrz }: DocumentFields, { front, back }: FieldSources): MrzRows =>
  [mrz?.summary, front.mrz, back?.mrz].flatMap((one) => (one === undefined ? [] : [one.lines]));

/**
 * Whether the front's image shows a back: an MRZ that belongs on backs, accepted or not, a part of its lines,
 * or a barcode that the other image has too.
 */
const isBackShown = (fields: DocumentFields, { front, back }: FieldSources, rows: MrzRows): boolean =>
  !isMrzOfPage(fields) &&
  ((front.mrz !== undefined && !isPageFormat(front.mrz.format)) ||
    front.lines.some((line) => isMrzTrace(rows, line)) ||
    front.barcodes.some((one) => (back?.barcodes ?? []).some((other) => isSameContent(one, other))));

const isSameContent = (one: Barcode, other: Barcode): boolean =>
  one.symbology === other.symbology &&
  (one.text === ""
    ? contentOf(one) === contentOf(other) && one.payload !== undefined
    : one.text === other.text);

const contentOf = ({ payload }: Barcode): string => JSON.stringify(payload?.fields);

/**
 * The card of an MRZ of three lines, in characters and line spacings of that MRZ: 85.6 × 54 mm, 30 characters
 * of 2.54 mm (ICAO Doc 9303-5, 4.2), lines 4.23 mm apart (`spacings`, reading/mrz/find-rows.ts). The first
 * line stands 38 mm below the upper edge, 4.7 mm are beside each end, and 5 mm are below the last line. Each
 * has about 2 mm more, because the boxes of lines are not exact.
 */
const card = { characters: 30, beside: 3, above: 9.5, below: 2 } as const;

/** Spacing of the lines in heights of a line's box, where one line alone was read: 4.23 mm by 3 mm. */
const spacingOfHeight = 1.4;

type Area = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

/**
 * Whether a box is apart from the MRZ's card. None is where no line of the MRZ was read: each may be of its
 * card.
 */
const apartFromCard = (rows: MrzRows, lines: readonly TextLine[]): ((box: Box | undefined) => boolean) => {
  const area = cardOfMrz(rows, lines);
  return (box) => area !== undefined && box !== undefined && !holdsMiddle(area, box);
};

/** Where the MRZ's card is; undefined where no line of the MRZ is among the lines. */
const cardOfMrz = (rows: MrzRows, lines: readonly TextLine[]): Area | undefined => {
  const found = mrzLinesIn(rows, lines).map((line) => ({ ...line, row: rowOf(rows, line.text) }));
  if (found.length === 0) return undefined;
  const [left, right] = [
    Math.min(...found.map(({ box }) => box.x)),
    Math.max(...found.map(({ box }) => box.x + box.width)),
  ];
  const pitch = Math.max(...found.map(({ text, box }) => box.width / Math.max(1, text.length)));
  // If a line was read in part, nothing shows which part was read.
  const unread = Math.max(0, card.characters - (right - left) / pitch);
  const spacing = spacingOf(found);
  return {
    left: left - (unread + card.beside) * pitch,
    right: right + (unread + card.beside) * pitch,
    top: Math.min(...found.map(({ box, row }) => box.y - Math.max(0, row) * spacing)) - card.above * spacing,
    bottom: Math.max(...found.map(({ box }) => box.y + box.height)) + card.below * spacing,
  };
};

/** From one line of the MRZ to the next. */
const spacingOf = (found: readonly (TextLine & { readonly row: number })[]): number => {
  const spacings = found.flatMap((one) =>
    found
      .filter((other) => one.row >= 0 && other.row > one.row)
      .map((other) => (other.box.y - one.box.y) / (other.row - one.row)),
  );
  const heights = found.map(({ box }) => box.height);
  return spacings.length > 0 ? Math.max(...spacings) : Math.max(...heights) * spacingOfHeight;
};

const holdsMiddle = ({ left, top, right, bottom }: Area, { x, y, width, height }: Box): boolean => {
  const [middle, centre] = [x + width / 2, y + height / 2];
  return middle >= left && middle <= right && centre >= top && centre <= bottom;
};
