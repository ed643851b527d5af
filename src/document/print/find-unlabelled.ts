import type { Box } from "#imaging/image";
import { yearsBetween } from "../dates.ts";
import type { ModelField } from "../models/document-model.ts";
import { isNumberName } from "../numbers/number-rules.ts";
import type { TextLine } from "../text/text-line.ts";
import { findLabel } from "./find-label.ts";
import type { LettersOf } from "./letters.ts";
import type { Piece } from "./pieces.ts";
import type { Taken } from "./printed-fields.ts";
import { type Printing, readValue } from "./read-value.ts";

/** The row that a model names between the headings above and below it; parts of one row are joined from the left. */
export const betweenHeadings = (
  field: ModelField,
  rowsMin: number,
  placesOf: PlacesOf,
  pieces: readonly Piece[],
  printing: Printing,
): Taken | undefined => {
  const { neighbours } = field;
  if (neighbours === undefined) {
    return undefined;
  }
  const top = Math.max(...placesOf(neighbours.after).map(({ y, height }) => y + height / 2));
  const end = Math.min(...placesOf(neighbours.before).map(({ y, height }) => y + height / 2));
  if (!Number.isFinite(top) || !Number.isFinite(end)) {
    return undefined;
  }
  const between = pieces
    .filter(({ label, box }) => {
      const y = box.y + box.height / 2;
      return label === undefined && y > top && y < end;
    })
    .filter((piece) => readValue(piece.text, field, printing) !== undefined);
  const rows = rowsOf(between);
  const own = rows.length < rowsMin ? undefined : rows[neighbours.row];
  const typed =
    own === undefined ? undefined : readValue(own.map(({ text }) => text).join(" "), field, printing);
  return own === undefined || typed === undefined ? undefined : { pieces: own, typed, edits: 0 };
};

/** Where lines stand that hold one of the words. */
export type PlacesOf = (words: readonly string[]) => readonly Box[];

export const placesIn =
  (lines: readonly TextLine[], lettersOf: LettersOf): PlacesOf =>
  (words) => {
    const sought = words.map(lettersOf);
    return lines
      .filter(({ text }) => sought.some((word) => findLabel(lettersOf(text), word) !== undefined))
      .map(({ box }) => box);
  };

/** Pieces in rows from the top, each from the left. */
const rowsOf = (pieces: readonly Piece[]): readonly (readonly Piece[])[] => {
  const rows: Piece[][] = [];
  for (const piece of [...pieces].sort((a, b) => a.box.y - b.box.y)) {
    const last = rows.at(-1);
    const isSame = last !== undefined && piece.box.y < last[0]!.box.y + last[0]!.box.height / 2;
    if (isSame) {
      last.push(piece);
    } else {
      rows.push([piece]);
    }
  }
  return rows.map((row) => row.sort((a, b) => a.box.x - b.box.x));
};

/**
 * A national number that stands on the side without its label, or whose label was not read. It is taken where one number
 * alone fits the rule, or one alone at the model's place: with a check digit wherever it stands, without one only where it
 * fills its text.
 */
export const byRuleAlone = (
  field: ModelField,
  pieces: readonly Piece[],
  printing: Printing,
): Taken | undefined => {
  if (!isNumberName(field.format)) {
    return undefined;
  }
  const found = pieces
    .filter(({ label }) => label === undefined)
    .flatMap((piece) => {
      const typed = readValue(piece.text, field, printing);
      const isSure =
        typed?.confirmedBy === "check-digit" || (typed?.confirmedBy === "rule" && fills(piece.text));
      return typed === undefined || typed.isRepaired || !isSure
        ? []
        : [{ pieces: [piece] as const, typed, edits: 0 }];
    });
  return onlyOne(found) ?? onlyOne(found.filter(({ pieces: [piece] }) => isAtPlace(field, piece.box)));
};

const onlyOne = (found: readonly Taken[]): Taken | undefined =>
  new Set(found.map(({ typed }) => typed.value)).size === 1 ? found[0] : undefined;

const isAtPlace = ({ place }: ModelField, { x, y, width, height }: Box): boolean => {
  const [left, top, wide, high] = place ?? [0, 0, 0, 0];
  const [across, down] = [x + width / 2 - left, y + height / 2 - top];
  return across >= 0 && across <= wide && down >= 0 && down <= high;
};

/** No passport is valid for so many years (ICAO Doc 9303-2 recommends ten at most): what lies further back is a birth. Chosen. */
const validYearsMax = 15;

/** A label that was not read counts as so many wrong letters. Chosen. */
const labelUnread = 3;

/**
 * The date of birth of a data page whose label was not read: the one date there that is too long before the expiry for an
 * issue. A card may carry other dates.
 */
export const birthByExpiry = (
  field: ModelField,
  expiry: string,
  pieces: readonly Piece[],
  printing: Printing,
): Taken | undefined =>
  onlyOne(
    pieces
      .filter(({ label }) => label === undefined)
      .flatMap((piece) => {
        const typed = readValue(piece.text, field, printing);
        return typed !== undefined && yearsBetween(typed.value, expiry) > validYearsMax
          ? [{ pieces: [piece], typed, edits: labelUnread }]
          : [];
      }),
  );

/** Figures, the letters that numbers carry, and what parts their groups: no date with a month's name, no sentence. */
const fills = (text: string): boolean => /^(?:[A-Z]{0,2}[\s-]?)?\d[\d\s.-]*[A-Z]?$/.test(text.trim());
