import type { Box } from "#machine/imaging/image";
import type { TextLine } from "../../reading/ocr/text-line.ts";
import { isNumberName } from "../../values/numbers/number-rules.ts";
import { readPrintedDate } from "../../values/printed-date.ts";
import type { ModelField } from "../models/document-model.ts";
import { aspect } from "./candidates.ts";
import { findLabel } from "./find-label.ts";
import type { NormaliseText } from "./normalise-text.ts";
import { type DateConventions, readValue } from "./read-value.ts";
import type { Segment } from "./segments.ts";
import type { MatchedText } from "./viz-field.ts";

/**
 * The row that a model places between the headings above and below it. Segments of one row are joined from
 * the left.
 */
export const betweenHeadings = (
  field: ModelField,
  rowsMin: number,
  placesOf: PlacesOf,
  segments: readonly Segment[],
  conventions: DateConventions,
): MatchedText | undefined => {
  const { neighbours } = field;
  if (neighbours === undefined) {
    return undefined;
  }
  const top = Math.max(...placesOf(neighbours.after).map(({ y, height }) => y + height / 2));
  const end = Math.min(...placesOf(neighbours.before).map(({ y, height }) => y + height / 2));
  if (!Number.isFinite(top) || !Number.isFinite(end)) {
    return undefined;
  }
  const between = segments
    .filter(({ label, box }) => {
      const y = box.y + box.height / 2;
      return label === undefined && y > top && y < end;
    })
    .filter((segment) => readValue(segment.text, field, conventions) !== undefined);
  const rows = rowsOf(between);
  const own = rows.length < rowsMin ? undefined : rows[neighbours.row];
  const typed =
    own === undefined ? undefined : readValue(own.map(({ text }) => text).join(" "), field, conventions);
  return own === undefined || typed === undefined ? undefined : { segments: own, typed, edits: 0 };
};

/** The boxes of the lines that contain one of the words. */
export type PlacesOf = (words: readonly string[]) => readonly Box[];

export const placesIn =
  (lines: readonly TextLine[], normaliseText: NormaliseText): PlacesOf =>
  (words) => {
    const sought = words.map(normaliseText);
    return lines
      .filter(({ text }) => sought.some((word) => findLabel(normaliseText(text), word) !== undefined))
      .map(({ box }) => box);
  };

/** Texts of one row further apart are of two columns, in heights of the row. The number is our choice. */
const columnGap = 3;

/** Segments in rows from the top, each from the left up to the next column. */
const rowsOf = (segments: readonly Segment[]): readonly (readonly Segment[])[] => {
  const rows: Segment[][] = [];
  for (const segment of [...segments].sort((a, b) => a.box.y - b.box.y)) {
    const last = rows.at(-1);
    const isSame = last !== undefined && segment.box.y < last[0]!.box.y + last[0]!.box.height / 2;
    if (isSame) {
      last.push(segment);
    } else {
      rows.push([segment]);
    }
  }
  return rows.map((row) => firstColumn(row.sort((a, b) => a.box.x - b.box.x)));
};

const firstColumn = (row: readonly Segment[]): readonly Segment[] => {
  const end = row.findIndex(({ box }, i) => {
    const before = row[i - 1]?.box;
    return before !== undefined && (box.x - before.x - before.width) * aspect > columnGap * box.height;
  });
  return end < 0 ? row : row.slice(0, end);
};

/**
 * A national number without a label, or whose label was not read. It is taken where exactly one number fits
 * the rule, or exactly one at the model's place. With a check digit it may be a part of its text, without one
 * it must be the whole text. A code, and the sex as a single letter M, F or X, are taken only at their place.
 */
export const byRuleAlone = (
  field: ModelField,
  segments: readonly Segment[],
  conventions: DateConventions,
): MatchedText | undefined => {
  const isPlaced = (field.format === "code" || field.format === "sex") && field.place !== undefined;
  if (!isNumberName(field.format) && !isPlaced) {
    return undefined;
  }
  const found = segments
    .filter(({ label }) => label === undefined)
    .flatMap((segment) => {
      const typed = readValue(segment.text, field, conventions);
      const isConfirmed =
        typed?.confirmedBy === "check-digit" ||
        (typed?.confirmedBy === "rule" && fills(segment.text)) ||
        (isPlaced && bare(segment.text) === typed?.value && !isDate(segment.text));
      return typed === undefined || typed.isRepaired || !isConfirmed
        ? []
        : [{ segments: [segment] as const, typed, edits: isPlaced ? unreadLabelEdits : 0 }];
    });
  return (
    (isPlaced ? undefined : onlyOne(found)) ??
    onlyOne(found.filter(({ segments: [segment] }) => isAtPlace(field, segment.box)))
  );
};

/** A label that was not read counts as this many wrong letters. The number is our choice. */
export const unreadLabelEdits = 3;

const bare = (text: string): string => text.toUpperCase().replaceAll(/[\s.,-]/g, "");

const isDate = (text: string): boolean => readPrintedDate(text) !== undefined;

/** The value that all matches share; undefined where they differ. */
export const onlyOne = (found: readonly MatchedText[]): MatchedText | undefined =>
  new Set(found.map(({ typed }) => typed.value)).size === 1 ? found[0] : undefined;

const isAtPlace = ({ place }: ModelField, { x, y, width, height }: Box): boolean => {
  const [left, top, wide, high] = place ?? [0, 0, 0, 0];
  const [across, down] = [x + width / 2 - left, y + height / 2 - top];
  return across >= 0 && across <= wide && down >= 0 && down <= high;
};

/**
 * Digits, the letters that numbers carry, and the separators of their groups: no date with a month's name, no
 * sentence.
 */
const fills = (text: string): boolean => /^(?:[A-Z]{0,2}[\s-]?)?\d[\d\s.-]*[A-Z]?$/.test(text.trim());
