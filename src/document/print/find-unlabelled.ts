import type { Box } from "#imaging/image";
import type { ModelField } from "../models/document-model.ts";
import { isNumberName } from "../numbers/number-rules.ts";
import { readPrintedDate } from "../text/printed-date.ts";
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
 * fills its text. A code, and the sex where it is a letter M, F or X that stands by itself, are taken at their place alone.
 */
export const byRuleAlone = (
  field: ModelField,
  pieces: readonly Piece[],
  printing: Printing,
): Taken | undefined => {
  const isPlaced = (field.format === "code" || field.format === "sex") && field.place !== undefined;
  if (!isNumberName(field.format) && !isPlaced) {
    return undefined;
  }
  const found = pieces
    .filter(({ label }) => label === undefined)
    .flatMap((piece) => {
      const typed = readValue(piece.text, field, printing);
      const isSure =
        typed?.confirmedBy === "check-digit" ||
        (typed?.confirmedBy === "rule" && fills(piece.text)) ||
        (isPlaced && bare(piece.text) === typed?.value && !isDate(piece.text));
      return typed === undefined || typed.isRepaired || !isSure
        ? []
        : [{ pieces: [piece] as const, typed, edits: isPlaced ? labelUnread : 0 }];
    });
  return (
    (isPlaced ? undefined : onlyOne(found)) ??
    onlyOne(found.filter(({ pieces: [piece] }) => isAtPlace(field, piece.box)))
  );
};

/** A label that was not read counts as so many wrong letters. Chosen. */
export const labelUnread = 3;

const bare = (text: string): string => text.toUpperCase().replaceAll(/[\s.,-]/g, "");

const isDate = (text: string): boolean => readPrintedDate(text) !== undefined;

/** The one value that all of them are. */
export const onlyOne = (found: readonly Taken[]): Taken | undefined =>
  new Set(found.map(({ typed }) => typed.value)).size === 1 ? found[0] : undefined;

const isAtPlace = ({ place }: ModelField, { x, y, width, height }: Box): boolean => {
  const [left, top, wide, high] = place ?? [0, 0, 0, 0];
  const [across, down] = [x + width / 2 - left, y + height / 2 - top];
  return across >= 0 && across <= wide && down >= 0 && down <= high;
};

/** Figures, the letters that numbers carry, and what parts their groups: no date with a month's name, no sentence. */
const fills = (text: string): boolean => /^(?:[A-Z]{0,2}[\s-]?)?\d[\d\s.-]*[A-Z]?$/.test(text.trim());
