import { upperMedian } from "#contract/statistics/quantile";
import type { Box, GreyImage } from "#machine/imaging/image";

/**
 * Difference of the ink of one printed line from that of the other dark lines. Physical reason: one machine
 * prints all fields of a side with one ink, and text that was written later is darker. The paler half does
 * not count: labels have an ink of their own, and their spread would hide the difference
 * (docs/measurements/attacks.md, Ink of one line).
 */
export type InkDifference = {
  readonly lines: number;
  /**
   * Deviations of the darkest line from the median of the darker half of the others (1.48 times the median
   * absolute deviation).
   */
  readonly darkest: number;
};

const linesMin = 6;
/** A stroke of a signature is read as one letter or two. */
const lettersMin = 3;
/**
 * Minimum deviation between lines of one machine, in grey levels: light is never even. With 4, 11 of 60
 * genuine drawn passports were over the limit of a weak cue; with 6 none.
 */
const deviationFloor = 6;
const pixelsMin = 80;

/** Measures the upright side and its printed lines, boxes as shares of it. Undefined for too few lines. */
export const measureInk = (
  side: GreyImage,
  lines: readonly { readonly box: Box }[],
): InkDifference | undefined => {
  const inks = ofSimilarHeight(lines.map(({ box }) => box)).flatMap((box) => inkOf(side, box) ?? []);
  return inks.length < linesMin ? undefined : { lines: inks.length, darkest: differenceOf(inks) };
};

/** How far the darkest of six inks and more, 0…255, is from the darker half of the others. */
export const differenceOf = (inks: readonly number[]): number => {
  const [darkest = 0, ...others] = inks.toSorted((a, b) => a - b);
  const darker = others.slice(0, Math.round(others.length / 2));
  const middle = upperMedian(darker);
  const deviation = 1.48 * upperMedian(darker.map((ink) => Math.abs(ink - middle)));
  return (middle - darkest) / Math.max(deviationFloor, deviation);
};

/**
 * Whether the ink of a line can be compared: it has some letters, and is no part of the MRZ, which another
 * print head prints.
 */
export const hasComparableInk = (text: string): boolean =>
  !text.includes("<") && (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) >= lettersMin;

/** Only lines of about the median height count: labels are smaller and often paler than values. */
const ofSimilarHeight = (boxes: readonly Box[]): readonly Box[] => {
  if (boxes.length === 0) return [];
  const usual = upperMedian(boxes.map(({ height }) => height));
  return boxes.filter(({ height }) => height > usual / heightRatioMax && height < usual * heightRatioMax);
};

const heightRatioMax = 1.5;

/** Ink relative to its background, 0…255: the darkest pixels of the line, scaled to a white background. */
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

/** The level at a rank of the pixels, from the darkest. */
const levelAt = (counts: Uint32Array, rank: number): number => {
  let level = 0;
  for (let below = counts[0]!; below <= Math.floor(rank); below += counts[level]!) level++;
  return level;
};
