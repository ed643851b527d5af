/** One-channel image of numbers, row by row. */
export type Plane = { readonly width: number; readonly height: number; readonly data: Float32Array };

export const makePlane = (width: number, height: number): Plane => ({
  width,
  height,
  data: new Float32Array(width * height),
});

/** Gaussian weights of sigma 1, to three pixels on either side. */
const [w0, w1, w2, w3] = [0.39905, 0.24204, 0.05401, 0.00443];

/**
 * Blurs `from` into `to` with a Gaussian of sigma 1; the border is repeated. `rows` is working space of the
 * same size.
 */
export const blurFine = (from: Plane, to: Plane, rows: Plane): void => {
  convolveRows(from, rows.data);
  convolveColumns(rows, to.data);
};

const convolveRows = ({ data, width, height }: Plane, to: Float32Array): void => {
  const last = width - 1;
  for (let y = 0; y < height; y++) {
    const start = y * width;
    const at = (x: number): number => data[start + (x < 0 ? 0 : x > last ? last : x)]!;
    const blurred = (x: number): number =>
      w0 * at(x) + w1 * (at(x - 1) + at(x + 1)) + w2 * (at(x - 2) + at(x + 2)) + w3 * (at(x - 3) + at(x + 3));
    for (let x = 0; x < Math.min(3, width); x++) to[start + x] = blurred(x);
    for (let i = start + 3; i < start + width - 3; i++) {
      to[i] =
        w0 * data[i]! +
        w1 * (data[i - 1]! + data[i + 1]!) +
        w2 * (data[i - 2]! + data[i + 2]!) +
        w3 * (data[i - 3]! + data[i + 3]!);
    }
    for (let x = Math.max(3, width - 3); x < width; x++) to[start + x] = blurred(x);
  }
};

/** Row by row, so that memory is read in its order. */
const convolveColumns = ({ data, width, height }: Plane, to: Float32Array): void => {
  const row = (y: number): number => Math.min(height - 1, Math.max(0, y)) * width;
  for (let y = 0; y < height; y++) {
    const here = y * width;
    const [a1, a2, a3] = [row(y - 1), row(y - 2), row(y - 3)];
    const [b1, b2, b3] = [row(y + 1), row(y + 2), row(y + 3)];
    for (let x = 0; x < width; x++) {
      to[here + x] =
        w0 * data[here + x]! +
        w1 * (data[a1 + x]! + data[b1 + x]!) +
        w2 * (data[a2 + x]! + data[b2 + x]!) +
        w3 * (data[a3 + x]! + data[b3 + x]!);
    }
  }
};

/**
 * Half widths of three boxes that together are nearly a Gaussian of sigma 12 (variances 52, 52 and 44:
 * 12.17).
 */
const boxes = [12, 12, 11] as const;

/**
 * Blurs in place with about a Gaussian of sigma 12; the border is repeated. `rows` is working space of the
 * same size.
 */
export const blurWide = (plane: Plane, rows: Plane): void => {
  for (const half of boxes) {
    boxRows(plane, rows.data, half);
    boxColumns(rows, plane.data, half);
  }
};

/** The mean of 2 half + 1 pixels of a row, as a running sum. */
const boxRows = ({ data, width, height }: Plane, to: Float32Array, half: number): void => {
  const last = width - 1;
  const share = 1 / (2 * half + 1);
  for (let y = 0; y < height; y++) {
    const start = y * width;
    let sum = (half + 1) * data[start]!;
    for (let i = 1; i <= half; i++) sum += data[start + Math.min(last, i)]!;
    for (let x = 0; x < width; x++) {
      to[start + x] = sum * share;
      const [next, past] = [x + half + 1, x - half];
      sum += data[start + (next > last ? last : next)]! - data[start + (past < 0 ? 0 : past)]!;
    }
  }
};

/** The same of a column, for all columns at once: memory is read in its order. */
const boxColumns = ({ data, width, height }: Plane, to: Float32Array, half: number): void => {
  const share = 1 / (2 * half + 1);
  const row = (y: number): number => Math.min(height - 1, Math.max(0, y)) * width;
  const sums = new Float64Array(width);
  for (let y = -half; y <= half; y++) {
    const from = row(y);
    for (let x = 0; x < width; x++) sums[x]! += data[from + x]!;
  }
  for (let y = 0; y < height; y++) {
    const [here, next, past] = [y * width, row(y + half + 1), row(y - half)];
    for (let x = 0; x < width; x++) {
      const sum = sums[x]!;
      to[here + x] = sum * share;
      sums[x] = sum + data[next + x]! - data[past + x]!;
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
