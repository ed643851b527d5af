import type { Box, GreyImage, Image } from "#imaging/image";

/** Range of light of the whole frame. Physical reason: paper and glowing glass cannot give real black or real white. */
export type LightRange = {
  /** 1st percentile of luminance, 0…255. A recapture lifts it: glass reflects, ink is grey. */
  readonly blackLevel: number;
  /** Share of the frame at or above 250: a lamp or glare on glass or gloss. */
  readonly blownOut: number;
  /** Mean chroma |max - min| of the face's pixels, 0…255: print and screen gamuts are narrower than skin's. */
  readonly faceChroma: number;
  /** Mean gradient of the face over that of its surroundings; a flat copy is focused alike everywhere. Absent without room. */
  readonly focusRatio?: number;
};

/** Measures picture and grey version of one size; `face` in their pixels. */
export const measureLight = (image: Image, grey: GreyImage, face: Box): LightRange => {
  const histogram = new Uint32Array(256);
  for (const value of grey.data) {
    histogram[value]!++;
  }
  const total = grey.data.length;
  let seen = 0;
  let blackLevel = 0;
  while (blackLevel < 255 && (seen += histogram[blackLevel]!) < 0.01 * total) {
    blackLevel++;
  }
  const blownOut = histogram.subarray(250).reduce((sum, count) => sum + count, 0) / total;
  const focusRatio = focusOf(grey, face);
  return {
    blackLevel,
    blownOut,
    faceChroma: chromaIn(image, face),
    ...(focusRatio !== undefined && { focusRatio }),
  };
};

const within = (box: Box, x: number, y: number): boolean =>
  x >= box.x && y >= box.y && x < box.x + box.width && y < box.y + box.height;

const chromaIn = (image: Image, face: Box): number => {
  let sum = 0;
  let count = 0;
  for (let y = Math.max(0, Math.ceil(face.y)); y < Math.min(image.height, face.y + face.height); y++) {
    for (let x = Math.max(0, Math.ceil(face.x)); x < Math.min(image.width, face.x + face.width); x++) {
      const i = (y * image.width + x) * 3;
      const [r, g, b] = [image.data[i]!, image.data[i + 1]!, image.data[i + 2]!];
      sum += Math.max(r, g, b) - Math.min(r, g, b);
      count++;
    }
  }
  return count === 0 ? 0 : sum / count;
};

const focusOf = ({ width, height, data }: GreyImage, face: Box): number | undefined => {
  const sums = { face: 0, rest: 0 };
  const counts = { face: 0, rest: 0 };
  for (let y = 0; y < height - 1; y++) {
    for (let x = 0; x < width - 1; x++) {
      const i = y * width + x;
      const gradient = Math.abs(data[i + 1]! - data[i]!) + Math.abs(data[i + width]! - data[i]!);
      const part = within(face, x, y) ? "face" : "rest";
      sums[part] += gradient;
      counts[part]++;
    }
  }
  const hasRoom = counts.face > 0 && counts.rest > counts.face / 2 && sums.rest > 0;
  return hasRoom ? sums.face / counts.face / (sums.rest / counts.rest) : undefined;
};
