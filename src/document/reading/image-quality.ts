import type { FileFacts, GreyImage, Image } from "#imaging/image";
import type { ImageQuality } from "./reading.ts";

/** Share of the pixels, with the strongest gradient, that measure the sharpness. */
const edgeShare = 0.02;
const blownOut = 250;

/**
 * Measures an upright image (the rectified card, or the whole frame when no card was located). `grey` and
 * `image` show the same image at a working size of about 1000 pixels. Sharpness is comparable only at the
 * same working size.
 */
export const measureQuality = (file: FileFacts, image: Image, grey: GreyImage): ImageQuality => ({
  width: file.width,
  height: file.height,
  sharpness: sharpnessOf(grey),
  overexposedShare: overexposedShareOf(image),
  brightness: meanOf(grey),
  ...(file.jpegQuality === undefined ? {} : { jpegQuality: file.jpegQuality }),
});

const meanOf = ({ data }: GreyImage): number => {
  let sum = 0;
  for (let i = 0; i < data.length; i++) {
    sum += data[i]!;
  }
  return data.length === 0 ? 0 : sum / data.length;
};

const overexposedShareOf = ({ data }: Image): number => {
  let blown = 0;
  for (let i = 0; i < data.length; i += 3) {
    if (data[i]! >= blownOut && data[i + 1]! >= blownOut && data[i + 2]! >= blownOut) {
      blown++;
    }
  }
  return data.length === 0 ? 0 : (3 * blown) / data.length;
};

/**
 * Second derivative over first derivative on the strongest edges. A step blurred by a Gaussian of width s has
 * a ratio that falls as 1/s, whatever its contrast. So text on a dark card and on a bright card compare. 0
 * for a uniform image.
 */
const sharpnessOf = ({ width, height, data }: GreyImage): number => {
  const squares = squaredGradients({ width, height, data });
  const threshold = Math.max(1, strongest(squares));
  let first = 0;
  let second = 0;
  for (let i = width; i < squares.length - width; i++) {
    const square = squares[i]!;
    if (square < threshold) {
      continue;
    }
    first += Math.sqrt(square) / 2;
    const across = data[i - 1]! + data[i + 1]! - 2 * data[i]!;
    const down = data[i - width]! + data[i + width]! - 2 * data[i]!;
    second += Math.sqrt(across * across + down * down);
  }
  return first === 0 ? 0 : second / first;
};

/** (2 |gradient|)² of each pixel as whole numbers; 0 at the image border. */
const squaredGradients = ({ width, height, data }: GreyImage): Int32Array => {
  const squares = new Int32Array(width * height);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1, i = y * width + 1; x < width - 1; x++, i++) {
      const across = data[i + 1]! - data[i - 1]!;
      const down = data[i + width]! - data[i - width]!;
      squares[i] = across * across + down * down;
    }
  }
  return squares;
};

/**
 * The value at the quantile 1 − `edgeShare`. A histogram, not a sort: sorting a million numbers takes 60 ms.
 */
const strongest = (squares: Int32Array): number => {
  const counts = new Int32Array(2 * 255 * 255 + 1);
  for (let i = 0; i < squares.length; i++) {
    counts[squares[i]!]!++;
  }
  const rank = Math.floor(squares.length * (1 - edgeShare));
  let below = 0;
  let value = 0;
  while (value < counts.length - 1 && below + counts[value]! <= rank) {
    below += counts[value]!;
    value++;
  }
  return value;
};
