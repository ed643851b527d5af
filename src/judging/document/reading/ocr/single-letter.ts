import type { Box, GreyImage } from "#machine/imaging/image";

/** Chosen on drawn cards (docs/measurements/documents.md, "Single letters"). */
const limits = {
  /** Grey levels between paper and ink. */
  contrastMin: 25,
  /** Height of a letter as a share of its place, and width over height. */
  heightMin: 0.25,
  heightMax: 0.9,
  aspectMax: 1.4,
  /**
   * If another patch has this share of the height of the letter, it is a letter too, and the place holds a
   * word.
   */
  otherMax: 0.5,
} as const;

type Patch = { left: number; top: number; right: number; bottom: number };

/**
 * Patches of ink (eight neighbours) in the rectangle of an image, the highest first. Marks what it visits.
 */
const patchesOf = (ink: Uint8Array, width: number, height: number): readonly Patch[] => {
  const patches: Patch[] = [];
  const stack: number[] = [];
  for (let start = 0; start < ink.length; start++) {
    if (ink[start] !== 1) continue;
    const patch = { left: width, top: height, right: -1, bottom: -1 };
    ink[start] = 2;
    stack.push(start);
    for (let at = stack.pop(); at !== undefined; at = stack.pop()) {
      const [x, y] = [at % width, Math.floor(at / width)];
      patch.left = Math.min(patch.left, x);
      patch.right = Math.max(patch.right, x);
      patch.top = Math.min(patch.top, y);
      patch.bottom = Math.max(patch.bottom, y);
      for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++) {
        for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
          const next = row * width + column;
          if (ink[next] === 1) {
            ink[next] = 2;
            stack.push(next);
          }
        }
      }
    }
    patches.push(patch);
  }
  return patches.sort((a, b) => b.bottom - b.top - (a.bottom - a.top));
};

/** The first percentile and the median of the levels. */
const levelsOf = (values: Uint8Array): readonly [ink: number, paper: number] => {
  const sorted = values.toSorted();
  return [sorted[Math.floor(sorted.length * 0.01)]!, sorted[sorted.length >> 1]!];
};

/**
 * The place of the only letter in a rectangle of an image (all in pixels); undefined where there is no ink,
 * where the ink has not the form of a letter, and where it goes on beyond the rectangle or is more than one
 * letter.
 */
export const letterIn = (image: GreyImage, place: Box): Box | undefined => {
  const [left, top] = [Math.max(0, Math.round(place.x)), Math.max(0, Math.round(place.y))];
  const width = Math.min(image.width, Math.round(place.x + place.width)) - left;
  const height = Math.min(image.height, Math.round(place.y + place.height)) - top;
  if (width < 8 || height < 8) return undefined;
  const values = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const from = (top + y) * image.width + left;
    values.set(image.data.subarray(from, from + width), y * width);
  }
  const [ink, paper] = levelsOf(values);
  if (paper - ink < limits.contrastMin) return undefined;
  const threshold = (paper + ink) / 2;
  const [letter, other] = patchesOf(
    values.map((value) => (value < threshold ? 1 : 0)),
    width,
    height,
  );
  if (letter === undefined) return undefined;
  const [wide, high] = [letter.right - letter.left + 1, letter.bottom - letter.top + 1];
  const isCut =
    letter.left === 0 || letter.top === 0 || letter.right === width - 1 || letter.bottom === height - 1;
  const isLetter =
    high >= limits.heightMin * height && high <= limits.heightMax * height && wide <= limits.aspectMax * high;
  const isAlone = other === undefined || other.bottom - other.top + 1 <= limits.otherMax * high;
  return isLetter && !isCut && isAlone
    ? { x: left + letter.left, y: top + letter.top, width: wide, height: high }
    : undefined;
};
