import type { Box } from "#imaging/image";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import type { DocumentFields } from "../fields.ts";
import type { FieldReading } from "../sources/field-reading.ts";
import { isMrzOfPage } from "./contradiction.ts";

/** What is printed on the side of the portrait. */
export type PortraitSide = {
  readonly lines: readonly TextLine[];
  /** Whether a reading is print of that side. */
  readonly hasPrinted: (reading: FieldReading) => boolean;
};

/**
 * The print of the portrait's side: that of the front's image, apart from the card of an MRZ that belongs on a back. An image may
 * show a back beside a face or beside another card, and a back prints its own number. Pure.
 */
export const portraitSideOf = (fields: DocumentFields, frontLines: readonly TextLine[]): PortraitSide => {
  const isBackShown = fields.mrz?.side === "front" && !isMrzOfPage(fields);
  const area = isBackShown ? cardOfMrz(fields.mrz.summary.lines, frontLines) : undefined;
  const isApart = (box: Box | undefined): boolean =>
    !isBackShown || (area !== undefined && box !== undefined && !holdsMiddle(area, box));
  return {
    lines: frontLines.filter(({ box }) => isApart(box)),
    hasPrinted: ({ source, side, box }) => source === "print" && side === "front" && isApart(box),
  };
};

/** The letters and digits of a text. */
export const bareOf = (text: string): string => text.toUpperCase().replaceAll(/[^A-Z0-9]/g, "");

/**
 * The card of an MRZ of three lines, in characters and line spacings of that MRZ: 85.6 × 54 mm, 30 characters of 2.54 mm (ICAO Doc
 * 9303-5, 4.2), lines 4.23 mm apart (`spacings`, reading/mrz/find-rows.ts). The first line stands 38 mm below the upper edge, 4.7 mm
 * are beside each end, and 5 mm are below the last line. Each has about 2 mm more, because the boxes of lines are not exact.
 */
const card = { characters: 30, beside: 3, above: 9.5, below: 2 } as const;

/** Spacing of the lines in heights of a line's box, where one line alone was read: 4.23 mm by 3 mm. */
const spacingOfHeight = 1.4;

type Area = { readonly left: number; readonly top: number; readonly right: number; readonly bottom: number };

/** Where the MRZ's card is; undefined where no line of the MRZ is among the lines, so that each may be of its card. */
const cardOfMrz = (mrzLines: readonly string[], lines: readonly TextLine[]): Area | undefined => {
  const rows = mrzLines.map(bareOf);
  const rowOf = (text: string): number =>
    bareOf(text).length < 10 ? -1 : rows.findIndex((row) => row.includes(bareOf(text)));
  const found = lines
    .filter(({ text }) => text.includes("<") || rowOf(text) >= 0)
    .map((line) => ({ ...line, row: rowOf(line.text) }));
  if (found.length === 0) return undefined;
  const [left, right] = [
    Math.min(...found.map(({ box }) => box.x)),
    Math.max(...found.map(({ box }) => box.x + box.width)),
  ];
  const pitch = Math.max(...found.map(({ text, box }) => box.width / Math.max(1, text.length)));
  // Of a line that was read in part it is unknown which part.
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
