import type { Image } from "#machine/imaging/image";

/** Colour gradient of an image, one value per pixel; a border of two pixels is zero. */
export type Gradient = {
  readonly width: number;
  readonly height: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly magnitude: Float32Array;
};

/**
 * Sobel gradient of the strongest channel, after a 3×3 binomial blur. Colour, not grey: a card on a
 * background of the same brightness has no grey border (docs/measurements/documents.md).
 */
export const colourGradient = (image: Image): Gradient => {
  const { width, height } = image;
  const size = width * height;
  const gradient: Gradient = {
    width,
    height,
    x: new Float32Array(size),
    y: new Float32Array(size),
    magnitude: new Float32Array(size),
  };
  const plane = new Float32Array(size);
  const rows = new Float32Array(size);
  for (let channel = 0; channel < 3; channel++) {
    binomial(image, channel, rows, plane);
    keepStronger(plane, gradient);
  }
  return gradient;
};

/** Filters with 1-2-1 along the rows, then down the columns, into `plane`. */
const binomial = (image: Image, channel: number, rows: Float32Array, plane: Float32Array): void => {
  const { width, height, data } = image;
  for (let y = 0; y < height; y++) {
    for (let x = 1, i = y * width + 1; x < width - 1; x++, i++) {
      const p = i * 3 + channel;
      rows[i] = data[p - 3]! + 2 * data[p]! + data[p + 3]!;
    }
  }
  for (let i = width; i < width * (height - 1); i++) {
    plane[i] = (rows[i - width]! + 2 * rows[i]! + rows[i + width]!) / 16;
  }
};

const keepStronger = (plane: Float32Array, gradient: Gradient): void => {
  const { width, height, x: gx, y: gy, magnitude } = gradient;
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2, i = y * width + 2; x < width - 2; x++, i++) {
      const nw = plane[i - width - 1]!;
      const ne = plane[i - width + 1]!;
      const sw = plane[i + width - 1]!;
      const se = plane[i + width + 1]!;
      const dx = ne + 2 * plane[i + 1]! + se - nw - 2 * plane[i - 1]! - sw;
      const dy = sw + 2 * plane[i + width]! + se - nw - 2 * plane[i - width]! - ne;
      const strength = Math.sqrt(dx * dx + dy * dy);
      if (strength > magnitude[i]!) {
        magnitude[i] = strength;
        gx[i] = dx;
        gy[i] = dy;
      }
    }
  }
};

/** Thin edges of a gradient: 1 where it is a maximum across the edge and at least `threshold`. */
export type Edges = { readonly mask: Uint8Array; readonly threshold: number };

/** The `quantile` of all gradients becomes the threshold, never below 10 (the noise of a plain surface). */
export const thinEdges = (gradient: Gradient, quantile: number, band?: Uint8Array): Edges => {
  const { width, height, x: gx, y: gy, magnitude } = gradient;
  const seen = band === undefined ? magnitude : magnitude.filter((_, i) => band[i] === 1);
  const threshold = Math.max(10, quantileOf(seen, quantile));
  const mask = new Uint8Array(magnitude.length);
  for (let y = 2; y < height - 2; y++) {
    for (let x = 2, i = y * width + 2; x < width - 2; x++, i++) {
      const strength = magnitude[i]!;
      if (strength < threshold || band?.[i] === 0) {
        continue;
      }
      const step = acrossStep(gx[i]!, gy[i]!, width);
      if (strength >= magnitude[i - step]! && strength >= magnitude[i + step]!) {
        mask[i] = 1;
      }
    }
  }
  return { mask, threshold };
};

/** Index step to the neighbour across the edge, in one of four directions. 2.4 = tan 67.5°. */
const acrossStep = (gx: number, gy: number, width: number): number => {
  const ax = Math.abs(gx);
  const ay = Math.abs(gy);
  if (ax > 2.4 * ay) {
    return 1;
  }
  if (ay > 2.4 * ax) {
    return width;
  }
  return gx * gy > 0 ? width + 1 : width - 1;
};

/** Every seventh value is enough for a quantile, and sorting stays cheap. */
const quantileOf = (values: Float32Array, quantile: number): number => {
  const sample = new Float32Array(Math.ceil(values.length / 7));
  for (let i = 0; i < sample.length; i++) {
    sample[i] = values[i * 7]!;
  }
  sample.sort();
  return sample[Math.min(sample.length - 1, Math.floor(sample.length * quantile))] ?? 0;
};
