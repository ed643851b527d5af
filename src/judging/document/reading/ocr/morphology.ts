import type { GreyImage } from "#machine/imaging/image";
import { larger, smaller } from "../without-branch.ts";

/**
 * Changes the pixels of a span to the darkest or brightest of themselves and those `step` before and after
 * them. In place: pairs first, then pairs of pairs.
 */
type ChangeSpan = (data: Uint8Array, start: number, end: number, step: number) => void;

const darkenSpan: ChangeSpan = (data, start, end, step) => {
  for (let i = start; i < end - step; i++) data[i] = smaller(data[i]!, data[i + step]!);
  for (let i = end - 1; i >= start + step; i--) data[i] = smaller(data[i]!, data[i - step]!);
};

const brightenSpan: ChangeSpan = (data, start, end, step) => {
  for (let i = start; i < end - step; i++) data[i] = larger(data[i]!, data[i + step]!);
  for (let i = end - 1; i >= start + step; i--) data[i] = larger(data[i]!, data[i - step]!);
};

/**
 * In place, `radius` times: over `2 * radius + 1` pixels in both directions, without those beyond the border.
 */
const change = ({ width, data }: GreyImage, radius: number, changeSpan: ChangeSpan): void => {
  for (let away = 1; away <= radius; away++) {
    for (let start = 0; start < data.length; start += width) changeSpan(data, start, start + width, 1);
    changeSpan(data, 0, data.length, width);
  }
};

/** Removes dark strokes of at most `2 * radius` pixels; wider ones keep their width. */
export const removeThinStrokes = (image: GreyImage, radius: number): GreyImage => {
  const changed = { ...image, data: image.data.slice() };
  change(changed, radius, brightenSpan);
  change(changed, radius, darkenSpan);
  return changed;
};

/** Fills bright gaps of at most `2 * radius` pixels between dark strokes, as inside outlined letters. */
export const fillGaps = (image: GreyImage, radius: number): GreyImage => {
  const changed = { ...image, data: image.data.slice() };
  change(changed, radius, darkenSpan);
  change(changed, radius, brightenSpan);
  return changed;
};
