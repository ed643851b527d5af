import type { Box, GreyImage, Image } from "./image.ts";
import { newMemory } from "./pixel-memory.ts";

/** Luma by (77 R + 150 G + 29 B) / 256: ITU-R BT.601 in eight bits. */
export const toGrey = ({ width, height, data }: Image, memory = newMemory): GreyImage => {
  const grey = memory.bytes(width * height);
  for (let i = 0, at = 0; i < grey.length; i++, at += 3) {
    grey[i] = (77 * data[at]! + 150 * data[at + 1]! + 29 * data[at + 2]!) >> 8;
  }
  return { width, height, data: grey };
};

/**
 * A copy of the part of the box that is inside the image, in whole pixels. Throws RangeError when no part of
 * the box is inside: this is an error of the caller.
 */
export const crop = (image: Image, box: Box, memory = newMemory): Image => {
  const left = Math.max(0, Math.round(box.x));
  const top = Math.max(0, Math.round(box.y));
  const right = Math.min(image.width, Math.round(box.x + box.width));
  const bottom = Math.min(image.height, Math.round(box.y + box.height));
  const width = right - left;
  const height = bottom - top;
  if (!(width > 0 && height > 0)) throw new RangeError("The box is outside the image");
  const data = memory.bytes(width * height * 3);
  for (let row = 0; row < height; row++) {
    const from = ((top + row) * image.width + left) * 3;
    data.set(image.data.subarray(from, from + width * 3), row * width * 3);
  }
  return { width, height, data };
};

/** The image rotated clockwise by quarter rotations: no sampling, no pixel lost. */
export const rotate = (image: Image, quarterRotations: 1 | 2 | 3, memory = newMemory): Image => {
  const { width, height, data } = image;
  const [across, down] = quarterRotations === 2 ? [width, height] : [height, width];
  // Position of the first pixel of the target's first row, and the steps along a row and from row to row, in
  // pixels.
  const ways = {
    1: { first: (height - 1) * width, along: -width, next: 1 },
    2: { first: width * height - 1, along: -1, next: -width },
    3: { first: width - 1, along: width, next: -1 },
  };
  const { first, along, next } = ways[quarterRotations];
  const rotated = memory.bytes(data.length);
  for (let row = 0, to = 0; row < down; row++) {
    let from = 3 * (first + row * next);
    for (let column = 0; column < across; column++, to += 3, from += 3 * along) {
      rotated[to] = data[from]!;
      rotated[to + 1] = data[from + 1]!;
      rotated[to + 2] = data[from + 2]!;
    }
  }
  return { width: across, height: down, data: rotated };
};
