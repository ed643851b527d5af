import type { GreyImage } from "#machine/imaging/image";

/**
 * A part of an image, one bit a pixel: row by row, 32 pixels in a word, the lowest bit first. Bits beyond the
 * width are 0.
 */
export type BitArea = { readonly width: number; readonly height: number; readonly words: Int32Array };

const wordsAcross = (width: number): number => (width + 31) >> 5;

/** The pixels of an image that differ from `level` by more than `distance`. */
export const pixelsAwayFrom = (
  { width, height, data }: GreyImage,
  level: number,
  distance: number,
): BitArea => {
  const words = new Int32Array(wordsAcross(width) * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let from = y * width, end = from + width; from < end; from += 32, at++) {
      const to = Math.min(end, from + 32);
      let word = 0;
      // The sign bit of a difference: noise would make a branch slow.
      for (let i = from; i < to; i++) word |= ((distance - Math.abs(data[i]! - level)) >>> 31) << (i - from);
      words[at] = word;
    }
  }
  return { width, height, words };
};

/** All pixels with one of the area within `radius` rows and columns; `radius` is less than 32. */
export const spread = (area: BitArea, radius: number): BitArea =>
  spreadDown(spreadAcross(area, radius), radius);

const spreadAcross = ({ width, height, words }: BitArea, radius: number): BitArea => {
  const across = wordsAcross(width);
  const result = new Int32Array(words.length);
  for (let i = 0; i < words.length; i++) {
    const column = i % across;
    const before = column > 0 ? words[i - 1]! : 0;
    const after = column < across - 1 ? words[i + 1]! : 0;
    result[i] = spreadWord(before, words[i]!, after, radius);
  }
  return withinWidth({ width, height, words: result });
};

/** The spread doubles with each step: it is made of what is spread already. */
const spreadWord = (before: number, here: number, after: number, radius: number): number => {
  let rightwards = here;
  let leftwards = here;
  for (let done = 0, step = 1; done < radius; done += step, step = Math.min(done + 1, radius - done)) {
    rightwards |= (rightwards << step) | (before >>> (32 - step));
    leftwards |= (leftwards >>> step) | (after << (32 - step));
    before |= before << step;
    after |= after >>> step;
  }
  return rightwards | leftwards;
};

const spreadDown = ({ width, height, words }: BitArea, radius: number): BitArea => {
  const across = wordsAcross(width);
  const result = new Int32Array(words.length);
  for (let y = 0; y < height; y++) {
    const last = Math.min(height - 1, y + radius);
    for (let from = Math.max(0, y - radius) * across; from <= last * across; from += across) {
      for (let i = 0; i < across; i++) result[y * across + i]! |= words[from + i]!;
    }
  }
  return { width, height, words: result };
};

/** The other pixels of the image. */
export const inverse = ({ width, height, words }: BitArea): BitArea =>
  withinWidth({ width, height, words: words.map((word) => ~word) });

const withinWidth = (area: BitArea): BitArea => {
  const across = wordsAcross(area.width);
  const mask = -1 >>> ((32 - (area.width & 31)) & 31);
  for (let i = across - 1; i < area.words.length; i += across) area.words[i]! &= mask;
  return area;
};

export const pixelsIn = ({ words }: BitArea): number => {
  let count = 0;
  for (let i = 0; i < words.length; i++) count += onesOf(words[i]!);
  return count;
};

/** Counts in pairs, fours and bytes (Warren, Hacker's Delight, figure 5-2). */
const onesOf = (word: number): number => {
  const pairs = word - ((word >>> 1) & 0x55555555);
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333);
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
};

/** A byte a pixel, 1 in the area. */
export const toBytes = ({ width, height, words }: BitArea): Uint8Array => {
  const bytes = new Uint8Array(width * height);
  for (let y = 0, at = 0; y < height; y++) {
    for (let from = y * width, end = from + width; from < end; from += 32, at++) {
      const to = Math.min(end, from + 32);
      const word = words[at]!;
      for (let i = from; i < to; i++) bytes[i] = (word >>> (i - from)) & 1;
    }
  }
  return bytes;
};
