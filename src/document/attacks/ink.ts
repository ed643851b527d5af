import type { Box, GreyImage } from "#imaging/image";
import { upperMedian } from "#statistics/quantile";

/**
 * How far one printed line's ink differs from that of the picture's other lines. Physical reason: fields of one side are
 * written by one machine with one ink; what was written over later is darker or paler. Of the differences tried, darkness
 * alone tells within a single picture (AUC .957 where a field was painted over and written again, chance where a piece of
 * another card was laid in: docs/measurements.md, Attacks on documents).
 */
export type InkDifference = {
  readonly lines: number;
  /** Darkest line against the others: deviations (1.48 times the median absolute one) from their median. */
  readonly darkest: number;
};

const linesMin = 6;
/** Grey levels by which lines of one machine vary, at least: light is never quite even. */
const deviationFloor = 4;
const pixelsMin = 80;

/** Of the upright side and its printed lines, boxes as shares of it. Undefined with too few lines to compare. */
export const measureInk = (
  side: GreyImage,
  lines: readonly { readonly box: Box }[],
): InkDifference | undefined => {
  const inks = alikeInHeight(lines.map(({ box }) => box)).flatMap((box) => inkOf(side, box) ?? []);
  if (inks.length < linesMin) return undefined;
  const middle = upperMedian(inks);
  const deviation = 1.48 * upperMedian(inks.map((ink) => Math.abs(ink - middle)));
  return { lines: inks.length, darkest: (middle - Math.min(...inks)) / Math.max(deviationFloor, deviation) };
};

/** Labels are smaller and often paler than values: lines far from the usual height are left out. */
const alikeInHeight = (boxes: readonly Box[]): readonly Box[] => {
  if (boxes.length === 0) return [];
  const usual = upperMedian(boxes.map(({ height }) => height));
  return boxes.filter(({ height }) => height > usual / heightRatioMax && height < usual * heightRatioMax);
};

const heightRatioMax = 1.5;

/** Ink relative to its ground, 0…255: the darkest pixels of the line, as bright as they were on white under the same light. */
const inkOf = ({ width, height, data }: GreyImage, box: Box): number | undefined => {
  const [left, right] = [
    Math.max(0, Math.floor(box.x * width)),
    Math.min(width, Math.ceil((box.x + box.width) * width)),
  ];
  const [top, bottom] = [
    Math.max(0, Math.floor(box.y * height)),
    Math.min(height, Math.ceil((box.y + box.height) * height)),
  ];
  const counts = new Uint32Array(256);
  for (let y = top; y < bottom; y++) {
    for (let i = y * width + left, end = y * width + right; i < end; i++) counts[data[i]!]!++;
  }
  const pixels = Math.max(0, right - left) * Math.max(0, bottom - top);
  if (pixels < pixelsMin) return undefined;
  const [dark, ground] = [levelAt(counts, pixels * 0.03), levelAt(counts, pixels * 0.8)];
  return ground <= dark ? undefined : (255 * dark) / ground;
};

/** The level at a rank among the pixels, from the darkest. */
const levelAt = (counts: Uint32Array, rank: number): number => {
  let level = 0;
  for (let below = counts[0]!; below <= Math.floor(rank); below += counts[level]!) level++;
  return level;
};
