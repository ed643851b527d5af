import type { GreyImage } from "#imaging/image";

/** The darkest, or with `-1` the brightest, of `2 * radius + 1` pixels along one direction. */
const along = (
  data: Uint8Array,
  lines: number,
  length: number,
  lineStep: number,
  step: number,
  { radius, sign }: { readonly radius: number; readonly sign: 1 | -1 },
): Uint8Array => {
  const out = new Uint8Array(data.length);
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep;
    for (let i = 0; i < length; i++) {
      const end = Math.min(length - 1, i + radius);
      let best = sign * data[start + i * step]!;
      for (let k = Math.max(0, i - radius); k <= end; k++) {
        const value = sign * data[start + k * step]!;
        if (value < best) best = value;
      }
      out[start + i * step] = sign * best;
    }
  }
  return out;
};

const extreme = ({ width, height, data }: GreyImage, radius: number, sign: 1 | -1): GreyImage => {
  const rows = along(data, height, width, width, 1, { radius, sign });
  return { width, height, data: along(rows, width, height, 1, width, { radius, sign }) };
};

const darken = (image: GreyImage, radius: number): GreyImage => extreme(image, radius, 1);
const lighten = (image: GreyImage, radius: number): GreyImage => extreme(image, radius, -1);

/** Removes dark strokes of at most `2 * radius` pixels; wider ones keep their width. */
export const removeThinStrokes = (image: GreyImage, radius: number): GreyImage =>
  darken(lighten(image, radius), radius);

/** Fills bright gaps of at most `2 * radius` pixels between dark strokes, as inside outlined letters. */
export const fillGaps = (image: GreyImage, radius: number): GreyImage =>
  lighten(darken(image, radius), radius);
