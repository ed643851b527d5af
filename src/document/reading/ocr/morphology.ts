import type { GreyImage } from "#imaging/image";

/** Makes each pixel of a span the darker one of itself and of those `step` before and after it; `from` holds the span as it was. */
const darkenSpan = (to: Uint8Array, from: Uint8Array, start: number, end: number, step: number): void => {
  for (let i = start; i < end - step; i++) {
    to[i] = Math.min(to[i]!, from[i + step]!);
    to[i + step] = Math.min(to[i + step]!, from[i]!);
  }
};

/**
 * The darkest of `2 * radius + 1` pixels in both directions. Each distance is one pass over the image, which is faster than a window
 * for each pixel.
 */
const darken = ({ width, height, data }: GreyImage, radius: number): GreyImage => {
  const rows = data.slice();
  for (let away = 1; away <= radius; away++) {
    for (let start = 0; start < data.length; start += width)
      darkenSpan(rows, data, start, start + width, away);
  }
  const both = rows.slice();
  for (let away = 1; away <= radius; away++) darkenSpan(both, rows, 0, data.length, away * width);
  return { width, height, data: both };
};

const invert = ({ width, height, data }: GreyImage): GreyImage => {
  const inverse = new Uint8Array(data.length);
  for (let i = 0; i < data.length; i++) inverse[i] = 255 - data[i]!;
  return { width, height, data: inverse };
};

const lighten = (image: GreyImage, radius: number): GreyImage => invert(darken(invert(image), radius));

/** Removes dark strokes of at most `2 * radius` pixels; wider ones keep their width. */
export const removeThinStrokes = (image: GreyImage, radius: number): GreyImage =>
  darken(lighten(image, radius), radius);

/** Fills bright gaps of at most `2 * radius` pixels between dark strokes, as inside outlined letters. */
export const fillGaps = (image: GreyImage, radius: number): GreyImage =>
  lighten(darken(image, radius), radius);
