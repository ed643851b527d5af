import type { Box, GreyImage, Image } from "#machine/imaging/image";
import type { LightRange } from "./measured-cues.ts";

/** Measures an image and its grey version of the same size; `face` is in their pixels. */
export const measureLight = (image: Image, grey: GreyImage, face: Box): LightRange => {
  const { data } = grey;
  const histogram = new Uint32Array(256);
  const total = data.length;
  for (let i = 0; i < total; i++) {
    histogram[data[i]!]!++;
  }
  let seen = 0;
  let blackLevel = 0;
  while (blackLevel < 255 && (seen += histogram[blackLevel]!) < 0.01 * total) {
    blackLevel++;
  }
  const blownOut = histogram.subarray(250).reduce((sum, count) => sum + count, 0) / total;
  const focusRatio = focusOf(grey, face);
  const highlights = highlightsIn(grey, face);
  return {
    blackLevel,
    blownOut,
    faceChroma: chromaIn(image, face),
    ...(focusRatio !== undefined && { focusRatio }),
    ...(highlights !== undefined && { highlights }),
  };
};

const chromaIn = ({ width, height, data }: Image, face: Box): number => {
  const { left, right, top, bottom } = pixelsWithin(face, width, height);
  let sum = 0;
  for (let y = top; y < bottom; y++) {
    for (let at = (y * width + left) * 3, end = (y * width + right) * 3; at < end; at += 3) {
      const red = data[at]!;
      const green = data[at + 1]!;
      const blue = data[at + 2]!;
      sum += Math.max(red, green, blue) - Math.min(red, green, blue);
    }
  }
  const count = Math.max(0, right - left) * Math.max(0, bottom - top);
  return count === 0 ? 0 : sum / count;
};

const highlightsIn = (grey: GreyImage, face: Box): number | undefined => {
  // The centre of the box is skin; its corners are hair and background.
  const inner = {
    x: face.x + 0.2 * face.width,
    y: face.y + 0.1 * face.height,
    width: 0.6 * face.width,
    height: 0.75 * face.height,
  };
  const { left, right, top, bottom } = pixelsWithin(inner, grey.width, grey.height);
  const histogram = new Uint32Array(256);
  for (let y = top; y < bottom; y++) {
    for (let x = left; x < right; x++) histogram[grey.data[y * grey.width + x]!]!++;
  }
  const total = Math.max(0, right - left) * Math.max(0, bottom - top);
  if (total === 0) return undefined;
  return (levelAt(histogram, 0.98 * total) + 1) / (levelAt(histogram, 0.5 * total) + 1);
};

const levelAt = (histogram: Uint32Array, count: number): number => {
  let level = 0;
  for (let seen = histogram[0]!; level < 255 && seen < count; ) {
    level++;
    seen += histogram[level]!;
  }
  return level;
};

/** The whole pixels of a box within the image, without `right` and `bottom`. */
const pixelsWithin = ({ x, y, width, height }: Box, widthMax: number, heightMax: number) => ({
  left: Math.max(0, Math.ceil(x)),
  right: Math.min(widthMax, Math.ceil(x + width)),
  top: Math.max(0, Math.ceil(y)),
  bottom: Math.min(heightMax, Math.ceil(y + height)),
});

const focusOf = (grey: GreyImage, face: Box): number | undefined => {
  const across = grey.width - 1;
  const down = grey.height - 1;
  const { left, right, top, bottom } = pixelsWithin(face, across, down);
  const faceCount = Math.max(0, right - left) * Math.max(0, bottom - top);
  const restCount = across * down - faceCount;
  const faceSum = gradientWithin(grey, left, right, top, bottom);
  const restSum = gradientWithin(grey, 0, across, 0, down) - faceSum;
  const hasSurroundings = faceCount > 0 && restCount > faceCount / 2 && restSum > 0;
  return hasSurroundings ? faceSum / faceCount / (restSum / restCount) : undefined;
};

const gradientWithin = (
  { width, data }: GreyImage,
  left: number,
  right: number,
  top: number,
  bottom: number,
): number => {
  let sum = 0;
  for (let y = top; y < bottom; y++) {
    for (let i = y * width + left, end = y * width + right; i < end; i++) {
      const here = data[i]!;
      sum += Math.abs(data[i + 1]! - here) + Math.abs(data[i + width]! - here);
    }
  }
  return sum;
};
