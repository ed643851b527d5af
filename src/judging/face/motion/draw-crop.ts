import type { GreyImage } from "#machine/imaging/image";
import { blurFine, blurWide, type Plane } from "./blur.ts";
import type { Levelling } from "./levelling.ts";

/** Working space of the size of a crop. */
export type CropSpace = { readonly sharp: Plane; readonly mean: Plane; readonly rows: Plane };

/** More samples in one direction of a pixel add nothing: a face that large has no finer pattern to follow. */
const samplesMax = 6;

/**
 * The face of a frame, level and without its light: each pixel less the mean of its neighbourhood, by the
 * deviation there. Exposure, shadows and the light of a moving head change brightness slowly over the face,
 * and go.
 */
export const drawCrop = (frame: GreyImage, level: Levelling, to: Plane, space: CropSpace): void => {
  const { sharp, mean, rows } = space;
  sample(frame, level, to);
  blurFine(to, sharp, rows);
  for (let i = 0; i < to.data.length; i++) {
    const value = sharp.data[i]!;
    mean.data[i] = value;
    to.data[i] = value * value;
  }
  blurWide(mean, rows);
  blurWide(to, rows);
  for (let i = 0; i < to.data.length; i++) {
    const middle = mean.data[i]!;
    const deviation = Math.sqrt(Math.max(0, to.data[i]! - middle * middle));
    const value = 128 + (contrast * (sharp.data[i]! - middle)) / (deviation + leastDeviation);
    to.data[i] = Math.min(255, Math.max(0, value));
  }
};

/** Grey levels of one deviation, and what is added to a deviation so that noise on even skin stays small. */
const contrast = 40;
const leastDeviation = 6;

/**
 * Bilinear, averaged over the frame's pixels where the crop is smaller; the border of the frame is repeated.
 */
const sample = (frame: GreyImage, { a, b, c, d }: Levelling, to: Plane): void => {
  const squared = a * a + b * b;
  const [right, down] = [a / squared, b / squared];
  const count = Math.min(samplesMax, Math.max(1, Math.round(1 / Math.sqrt(squared))));
  for (let v = 0; v < to.height; v++) {
    for (let u = 0; u < to.width; u++) {
      let sum = 0;
      for (let k = 0; k < count * count; k++) {
        const s = u - c + ((k % count) + 0.5) / count - 0.5;
        const t = v - d + (Math.floor(k / count) + 0.5) / count - 0.5;
        sum += bilinear(frame, right * s - down * t, down * s + right * t);
      }
      to.data[v * to.width + u] = sum / (count * count);
    }
  }
};

const bilinear = ({ data, width, height }: GreyImage, x: number, y: number): number => {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const [x0, x1] = [within(left, width), within(left + 1, width)];
  const [y0, y1] = [within(top, height) * width, within(top + 1, height) * width];
  const [across, under] = [x - left, y - top];
  const upper = data[y0 + x0]! * (1 - across) + data[y0 + x1]! * across;
  const lower = data[y1 + x0]! * (1 - across) + data[y1 + x1]! * across;
  return upper * (1 - under) + lower * under;
};

const within = (i: number, length: number): number => (i < 0 ? 0 : i >= length ? length - 1 : i);
