import type { GreyImage } from "#machine/imaging/image";

/**
 * Edges near each pixel, indexed [t][across]: bit 1 for a step from dark to bright there or one pixel to
 * either side (a line may deviate), bit 2 for bright to dark.
 */
export type EdgeMap = { readonly length: number; readonly across: number; readonly near: Uint8Array };

export type EdgeMaps = { readonly vertical: EdgeMap; readonly horizontal: EdgeMap };

/** A step from dark to bright, and from bright to dark. */
export const toBright = 1;
const toDark = 2;

/**
 * The signs of one pixel as a count. A sum of counts has both in one number: bright in its lower 16 bits,
 * dark above.
 */
export const countOf = (signs: number): number => (signs & toBright) | ((signs & toDark) << 15);

/** The count of the more frequent sign, from a sum of counts. */
export const strongestOf = (sum: number): number => Math.max(sum & 0xffff, sum >> 16);

/**
 * Smallest sum of a Sobel mask that counts as an edge: 9 grey levels across two pixels, times the mask's
 * weight.
 */
const sobelMin = 4 * 9;
/** An edge may lean up to some 35° from its axis. */
const leanMax = 0.7;

/** Steps by direction, from a Sobel pair; none where `ground` is 1 (padding). */
export const edgeMaps = ({ width, height, data }: GreyImage, ground?: Uint8Array): EdgeMaps => {
  const steep = new Uint8Array(width * height);
  const level = new Uint8Array(width * height);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const above = i - width;
      const below = i + width;
      const falling = data[below - 1]! - data[above + 1]!;
      const rising = data[below + 1]! - data[above - 1]!;
      const gx = rising - falling + 2 * (data[i + 1]! - data[i - 1]!);
      const gy = rising + falling + 2 * (data[below]! - data[above]!);
      const sizeX = Math.abs(gx);
      const sizeY = Math.abs(gy);
      if ((sizeX < sobelMin && sizeY < sobelMin) || ground?.[i] === 1) continue;
      if (sizeX >= sobelMin && sizeY <= leanMax * sizeX) {
        mark(steep, i, gx > 0 ? toBright : toDark);
      }
      if (sizeY >= sobelMin && sizeX <= leanMax * sizeY) {
        mark(level, x * height + y, gy > 0 ? toBright : toDark);
      }
    }
  }
  return {
    vertical: { length: height, across: width, near: steep },
    horizontal: { length: width, across: height, near: level },
  };
};

/** Inner pixels only, so both neighbours are in the same row. */
const mark = (near: Uint8Array, i: number, sign: number): void => {
  near[i - 1]! |= sign;
  near[i]! |= sign;
  near[i + 1]! |= sign;
};
