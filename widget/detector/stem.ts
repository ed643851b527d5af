import type { Activation } from "./layers.ts";

const side = 5;
const channelsIn = 3;

/**
 * The first convolution: 5 x 5, stride 2, ReLU. `pixels` are RGB of 0 to 255 by row, read as x / 127.5 - 1;
 * beyond the image is zero, one row before it and two after it, as TensorFlow's SAME.
 */
export const stem = (
  pixels: Uint8Array,
  width: number,
  weights: Float32Array,
  bias: Float32Array,
  out: Activation,
): void => {
  const { channels, data } = out;
  const padded = padPixels(pixels, width, out.height * 2);
  const row = (width + 3) * channelsIn;
  const sums = new Float32Array(channels);
  for (let y = 0; y < out.height; y++) {
    let to = ((y + 1) * (out.width + 2) + 1) * channels;
    for (let x = 0; x < out.width; x++) {
      sums.set(bias);
      for (let ky = 0; ky < side; ky++) {
        const from = (2 * y + ky) * row + 2 * x * channelsIn;
        addRow(padded, from, weights, ky * side * channelsIn * channels, sums);
      }
      for (let c = 0; c < channels; c++) data[to++] = sums[c]! > 0 ? sums[c]! : 0;
    }
  }
};

/** Adds the fifteen values of a row of the window. */
const addRow = (
  values: Float32Array,
  from: number,
  weights: Float32Array,
  weightsFrom: number,
  sums: Float32Array,
): void => {
  const channels = sums.length;
  let w = weightsFrom;
  for (let i = 0; i < side * channelsIn; i++) {
    const value = values[from + i]!;
    for (let c = 0; c < channels; c++) sums[c] = sums[c]! + value * weights[w++]!;
  }
};

const padPixels = (pixels: Uint8Array, width: number, height: number): Float32Array => {
  const row = (width + 3) * channelsIn;
  const padded = new Float32Array((height + 3) * row);
  for (let y = 0; y < height; y++) {
    const to = (y + 1) * row + channelsIn;
    const from = y * width * channelsIn;
    for (let i = 0; i < width * channelsIn; i++) padded[to + i] = pixels[from + i]! / 127.5 - 1;
  }
  return padded;
};
