import type { Box } from "#machine/imaging/image";
import { type Segment, wordsBetween } from "./segments.ts";

/** Where a value is: right of its label, also in one line with it, or under it. */
export type Placement = "right" | "under";

/**
 * A chain of segments that may be a label's value, topmost first. The cost grows with the distance.
 * `isWhole`: the line extends under other labels, so only a value of a recognisable kind can be found in it.
 */
export type Candidate = {
  readonly rows: readonly Segment[];
  readonly cost: number;
  readonly placement: Placement;
  readonly isWhole: boolean;
};

/**
 * Weight of a share of the side's width against one of its height: between an ID-1 card's 1.59 and a page's
 * 1.42.
 */
export const aspect = 1.5;

/**
 * Greatest distance of a value to the right of and below its label, in text heights, as read on drawn cards.
 */
const distanceMax = { right: 24, under: 1.8, nextLine: 1.1, nextRow: 1.8, shift: 2.5 } as const;

const right = (box: Box): number => box.x + box.width;
const bottom = (box: Box): number => box.y + box.height;
const middle = (box: Box): number => box.y + box.height / 2;
const heightOf = (a: Box, b: Box): number => Math.max(a.height, b.height);

const isSameRow = (a: Box, b: Box): boolean =>
  Math.min(bottom(a), bottom(b)) - Math.max(a.y, b.y) > 0.5 * Math.min(a.height, b.height);

const overlapsAcross = (a: Box, b: Box): boolean => a.x < right(b) && b.x < right(a);

/**
 * Whether another label directly precedes the segment at `place` in its line. `segments` are in reading
 * order.
 */
const isClaimed = (place: number, label: Segment, segments: readonly Segment[]): boolean => {
  const before = segments[place - 1];
  return before?.label !== undefined && before !== label && before.line === segments[place]?.line;
};

/**
 * Every text that may be the label's value: right of it or below it, without another label between. `usual`:
 * where the side's values stand.
 */
export const candidatesFor = (
  label: Segment,
  segments: readonly Segment[],
  usual: Placement | undefined,
): readonly Candidate[] => {
  const others = segments.filter((segment) => segment.label !== undefined && segment !== label);
  return segments
    .flatMap((segment, place) => {
      if (segment.label !== undefined || isClaimed(place, label, segments)) {
        return [];
      }
      const beside = costRight(label, segment, others);
      const below = costUnder(label.box, segment.box, others, distanceMax.under);
      const cost = Math.min(beside ?? Infinity, below ?? Infinity);
      if (cost === Infinity) {
        return [];
      }
      const placement: Placement = cost === below ? "under" : "right";
      const start = placement === "under" ? underColumn(label, segment, others) : segment;
      const isInRows = placement === "right" || usual === "right";
      const rows = (first: Segment): readonly Segment[] =>
        chainFrom(first, label, segments, others, isInRows);
      return [
        ...(start === undefined ? [] : [{ rows: rows(start), cost, placement, isWhole: false }]),
        ...(start === segment ? [] : [{ rows: rows(segment), cost: cost + 0.5, placement, isWhole: true }]),
      ];
    })
    .sort((a, b) => a.cost - b.cost);
};

const costRight = (label: Segment, segment: Segment, others: readonly Segment[]): number | undefined => {
  if (segment.line === label.line) {
    return segment.order === label.order + 1 ? 0 : undefined;
  }
  const gap = ((segment.box.x - right(label.box)) * aspect) / heightOf(label.box, segment.box);
  const isBeside = isSameRow(label.box, segment.box) && gap > -0.5 && gap <= distanceMax.right;
  const isBetween = ({ box }: Segment): boolean =>
    isSameRow(box, label.box) && box.x > label.box.x && box.x < segment.box.x;
  return isBeside && !others.some(isBetween) ? 0.2 + Math.max(0, gap) * 0.12 : undefined;
};

const costUnder = (
  above: Box,
  segment: Box,
  others: readonly Segment[],
  gapMax: number,
): number | undefined => {
  const height = heightOf(above, segment);
  const gap = (segment.y - bottom(above)) / height;
  const shift = (Math.max(0, segment.x - right(above), above.x - right(segment)) * aspect) / height;
  const isBelow = middle(segment) > bottom(above) - 0.2 * height && gap <= gapMax;
  const isBetween = ({ box }: Segment): boolean =>
    middle(box) > middle(above) && middle(box) < middle(segment) && overlapsAcross(box, segment);
  const lean = (Math.abs(segment.x - above.x) * aspect) / height;
  return isBelow && shift <= distanceMax.shift && !others.some(isBetween)
    ? 0.1 + Math.max(0, gap) * 0.4 + Math.min(lean, 10) * 0.1
    : undefined;
};

/** Where a line extends under the next label of the row, only the words of the label's own column count. */
const underColumn = (label: Segment, segment: Segment, others: readonly Segment[]): Segment | undefined => {
  const row = others.filter(({ box }) => isSameRow(box, label.box) && overlapsAcross(box, segment.box));
  const slack = (label.box.height / aspect) * 1.2;
  const next = Math.min(Infinity, ...row.filter(({ box }) => box.x > label.box.x).map(({ box }) => box.x));
  const isFirst = !row.some(({ box }) => box.x < label.box.x);
  const left = isFirst ? -Infinity : label.box.x - slack;
  return next === Infinity && isFirst ? segment : wordsBetween(segment, left, next - slack);
};

/**
 * The lines below a value, until another label claims one. `isInRows`: values stand right of their labels, so
 * a line with another label on its left, or a text in the column of labels, is no part of it.
 */
const chainFrom = (
  first: Segment,
  label: Segment,
  segments: readonly Segment[],
  others: readonly Segment[],
  isInRows: boolean,
): readonly Segment[] => {
  const rows = [first];
  const gapMax = isInRows ? distanceMax.nextRow : distanceMax.nextLine;
  const isOfAnother = ({ box }: Segment): boolean =>
    isInRows &&
    segments.some(
      (other) =>
        other !== label &&
        isSameRow(other.box, box) &&
        other.box.x < box.x &&
        (other.label !== undefined || isAligned(label.box, other.box)),
    );
  for (;;) {
    const last = rows.at(-1)!;
    const next = segments
      .filter(
        (segment, place) =>
          segment.label === undefined &&
          segment.line !== last.line &&
          !isClaimed(place, label, segments) &&
          !isOfAnother(segment),
      )
      .map((segment) => ({ segment, cost: costUnder(last.box, segment.box, others, gapMax) }))
      .filter(({ segment, cost }) => cost !== undefined && isAligned(last.box, segment.box))
      .sort((a, b) => a.cost! - b.cost!)[0];
    if (next === undefined || rows.length >= 8) {
      return rows;
    }
    rows.push(next.segment);
  }
};

const isAligned = (above: Box, segment: Box): boolean =>
  Math.abs(segment.x - above.x) * aspect <= distanceMax.shift * heightOf(above, segment);
