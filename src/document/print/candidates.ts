import type { Box } from "#imaging/image";
import { type Piece, wordsBetween } from "./pieces.ts";

/**
 * A chain of pieces that may be a label's value, topmost first, the nearer the cheaper. `isWhole`: the line runs on under
 * other labels, so only a value that is told by its kind can be found in it.
 */
export type Candidate = {
  readonly rows: readonly Piece[];
  readonly cost: number;
  readonly isWhole: boolean;
};

/** Shares of a side's width count this many times those of its height: between an ID-1 card's 1.59 and a page's 1.42. */
const aspect = 1.5;

/** In heights of the text, as read on drawn cards: values stand at most so far right of and under their label. */
const farthest = { right: 14, under: 1.8, nextRow: 1.1, shift: 2.5 } as const;

const right = (box: Box): number => box.x + box.width;
const bottom = (box: Box): number => box.y + box.height;
const middle = (box: Box): number => box.y + box.height / 2;
const heightOf = (a: Box, b: Box): number => Math.max(a.height, b.height);

const isSameRow = (a: Box, b: Box): boolean =>
  Math.min(bottom(a), bottom(b)) - Math.max(a.y, b.y) > 0.5 * Math.min(a.height, b.height);

const overlapsAcross = (a: Box, b: Box): boolean => a.x < right(b) && b.x < right(a);

/** Whether another label claims the text at `place` by standing right before it in its line; pieces stand in their order. */
const isOwned = (place: number, label: Piece, pieces: readonly Piece[]): boolean => {
  const before = pieces[place - 1];
  return before?.label !== undefined && before !== label && before.line === pieces[place]?.line;
};

/** Every text that may be what the label names: right of it or under it, with nothing labelled between. */
export const candidatesFor = (label: Piece, pieces: readonly Piece[]): readonly Candidate[] => {
  const others = pieces.filter((piece) => piece.label !== undefined && piece !== label);
  return pieces
    .flatMap((piece, place) => {
      if (piece.label !== undefined || isOwned(place, label, pieces)) {
        return [];
      }
      const beside = costRight(label, piece, others);
      const below = costUnder(label.box, piece.box, others, farthest.under);
      const cost = Math.min(beside ?? Infinity, below ?? Infinity);
      if (cost === Infinity) {
        return [];
      }
      const start = cost === below ? underColumn(label, piece, others) : piece;
      const rows = (first: Piece): readonly Piece[] => chainFrom(first, label, pieces, others);
      return [
        ...(start === undefined ? [] : [{ rows: rows(start), cost, isWhole: false }]),
        ...(start === piece ? [] : [{ rows: rows(piece), cost: cost + 0.5, isWhole: true }]),
      ];
    })
    .sort((a, b) => a.cost - b.cost);
};

const costRight = (label: Piece, piece: Piece, others: readonly Piece[]): number | undefined => {
  if (piece.line === label.line) {
    return piece.order === label.order + 1 ? 0 : undefined;
  }
  const gap = ((piece.box.x - right(label.box)) * aspect) / heightOf(label.box, piece.box);
  const isBeside = isSameRow(label.box, piece.box) && gap > -0.5 && gap <= farthest.right;
  const isBetween = ({ box }: Piece): boolean =>
    isSameRow(box, label.box) && box.x > label.box.x && box.x < piece.box.x;
  return isBeside && !others.some(isBetween) ? 0.2 + Math.max(0, gap) * 0.3 : undefined;
};

const costUnder = (above: Box, piece: Box, others: readonly Piece[], gapMax: number): number | undefined => {
  const height = heightOf(above, piece);
  const gap = (piece.y - bottom(above)) / height;
  const shift = (Math.max(0, piece.x - right(above), above.x - right(piece)) * aspect) / height;
  const isBelow = middle(piece) > bottom(above) - 0.2 * height && gap <= gapMax;
  const isBetween = ({ box }: Piece): boolean =>
    middle(box) > middle(above) && middle(box) < middle(piece) && overlapsAcross(box, piece);
  const lean = (Math.abs(piece.x - above.x) * aspect) / height;
  return isBelow && shift <= farthest.shift && !others.some(isBetween)
    ? 0.1 + Math.max(0, gap) * 0.4 + Math.min(lean, 10) * 0.1
    : undefined;
};

/** Where a line runs on under the next label of the row, only the words of the own column count. */
const underColumn = (label: Piece, piece: Piece, others: readonly Piece[]): Piece | undefined => {
  const row = others.filter(({ box }) => isSameRow(box, label.box) && overlapsAcross(box, piece.box));
  const slack = (label.box.height / aspect) * 1.2;
  const next = Math.min(Infinity, ...row.filter(({ box }) => box.x > label.box.x).map(({ box }) => box.x));
  const isFirst = !row.some(({ box }) => box.x < label.box.x);
  const left = isFirst ? -Infinity : label.box.x - slack;
  return next === Infinity && isFirst ? piece : wordsBetween(piece, left, next - slack);
};

/** The lines that follow under a value, as long as nothing else claims them. */
const chainFrom = (
  first: Piece,
  label: Piece,
  pieces: readonly Piece[],
  others: readonly Piece[],
): readonly Piece[] => {
  const rows = [first];
  for (;;) {
    const last = rows.at(-1)!;
    const next = pieces
      .filter(
        (piece, place) =>
          piece.label === undefined && piece.line !== last.line && !isOwned(place, label, pieces),
      )
      .map((piece) => ({ piece, cost: costUnder(last.box, piece.box, others, farthest.nextRow) }))
      .filter(({ piece, cost }) => cost !== undefined && isAligned(last.box, piece.box))
      .sort((a, b) => a.cost! - b.cost!)[0];
    if (next === undefined || rows.length >= 8) {
      return rows;
    }
    rows.push(next.piece);
  }
};

const isAligned = (above: Box, piece: Box): boolean =>
  Math.abs(piece.x - above.x) * aspect <= farthest.shift * heightOf(above, piece);
