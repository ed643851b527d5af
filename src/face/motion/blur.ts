/** One-channel image of numbers, row by row. */
export type Plane = { readonly width: number; readonly height: number; readonly data: Float32Array };

export const makePlane = (width: number, height: number): Plane => ({
  width,
  height,
  data: new Float32Array(width * height),
});

/** Gaussian weights of sigma 1, to three pixels on either side. */
const near = [0.39905, 0.24204, 0.05401, 0.00443] as const;

/** Blurs `from` into `to` with a Gaussian of sigma 1; the border is repeated. `rows` is working space of the same size. */
export const blurFine = (from: Plane, to: Plane, rows: Plane): void => {
  convolve(from.data, rows.data, from.width, from.height, 1, from.width);
  convolve(rows.data, to.data, from.height, from.width, from.width, 1);
};

/** One direction: `length` pixels at distance `step` in each of `lines` lines at distance `lineStep`. */
const convolve = (
  from: Float32Array,
  to: Float32Array,
  length: number,
  lines: number,
  step: number,
  lineStep: number,
): void => {
  const last = length - 1;
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep;
    for (let i = 0; i < length; i++) {
      let sum = near[0] * from[start + i * step]!;
      for (let k = 1; k < near.length; k++) {
        const [before, after] = [i < k ? 0 : i - k, i + k > last ? last : i + k];
        sum += near[k]! * (from[start + before * step]! + from[start + after * step]!);
      }
      to[start + i * step] = sum;
    }
  }
};

/** Half widths of three boxes that together are nearly a Gaussian of sigma 12 (variances 52, 52 and 44: 12.17). */
const boxes = [12, 12, 11] as const;

/** Blurs in place with about a Gaussian of sigma 12; the border is repeated. `rows` is working space of the same size. */
export const blurWide = ({ data, width, height }: Plane, rows: Plane): void => {
  const [from, to] = [data, rows.data];
  for (const half of boxes) {
    boxAlong(from, to, width, height, 1, width, half);
    boxAlong(to, from, height, width, width, 1, half);
  }
};

/** The mean of 2 half + 1 pixels, as a running sum. */
const boxAlong = (
  from: Float32Array,
  to: Float32Array,
  length: number,
  lines: number,
  step: number,
  lineStep: number,
  half: number,
): void => {
  const last = length - 1;
  const share = 1 / (2 * half + 1);
  for (let line = 0; line < lines; line++) {
    const start = line * lineStep;
    const at = (i: number): number => from[start + Math.min(last, Math.max(0, i)) * step]!;
    let sum = 0;
    for (let i = -half; i <= half; i++) sum += at(i);
    for (let i = 0; i < length; i++) {
      to[start + i * step] = sum * share;
      sum += at(i + half + 1) - at(i - half);
    }
  }
};

/** Every second pixel of every second row. Pixel i of the result lies at 2i of the source. */
export const halve = (from: Plane, to: Plane): void => {
  for (let y = 0; y < to.height; y++) {
    for (let x = 0; x < to.width; x++) {
      to.data[y * to.width + x] = from.data[2 * y * from.width + 2 * x]!;
    }
  }
};
