/**
 * Adds the power spectra of two real squares of `side` × `side` values to `power`. Both squares are
 * overwritten. Frequency (fx, fy), each -side/2…side/2-1, is at index (fy & (side - 1)) * side + (fx &
 * (side - 1)).
 */
export type AddPower = (power: Float64Array, one: Float64Array, other: Float64Array) => void;

/** For squares of one side, a power of two. The caller tapers the squares. */
export const makeAddPower = (side: number): AddPower => {
  const twiddles = twiddlesOf(side);
  return (power, one, other) => addPower(twiddles, power, one, other);
};

/** Replaces two real squares by their power spectra. Frequencies are placed as in {@link AddPower}. */
export type ReplaceByPower = (one: Float64Array, other: Float64Array) => void;

/** For squares of one side, a power of two. The caller tapers the squares. */
export const makeReplaceByPower = (side: number): ReplaceByPower => {
  const twiddles = twiddlesOf(side);
  return (one, other) => replaceByPower(twiddles, one, other);
};

type Twiddles = { readonly side: number; readonly cos: Float64Array; readonly sin: Float64Array };

const twiddlesOf = (side: number): Twiddles => {
  if (!Number.isInteger(Math.log2(side))) throw new RangeError(`${side} is no power of two`);
  const cos = Float64Array.from({ length: side }, (_, i) => Math.cos((-2 * Math.PI * i) / side));
  const sin = Float64Array.from({ length: side }, (_, i) => Math.sin((-2 * Math.PI * i) / side));
  return { side, cos, sin };
};

/**
 * One complex transform handles two squares at once; their spectra are separated by symmetry. Its result is
 * transposed, like `opposite`.
 */
const transform = (twiddles: Twiddles, real: Float64Array, imaginary: Float64Array): void => {
  const { side } = twiddles;
  transformColumns(twiddles, real, imaginary);
  transpose(side, real);
  transpose(side, imaginary);
  transformColumns(twiddles, real, imaginary);
};

/** The sum is transposed back. */
const addPower = (
  twiddles: Twiddles,
  power: Float64Array,
  real: Float64Array,
  imaginary: Float64Array,
): void => {
  const { side } = twiddles;
  transform(twiddles, real, imaginary);
  for (let x = 0; x < side; x++) {
    for (let y = 0; y < side; y++) {
      const i = x * side + y;
      const opposite = (-x & (side - 1)) * side + (-y & (side - 1));
      const here = real[i]! * real[i]! + imaginary[i]! * imaginary[i]!;
      const there = real[opposite]! * real[opposite]! + imaginary[opposite]! * imaginary[opposite]!;
      power[y * side + x]! += (here + there) / 2;
    }
  }
};

const replaceByPower = (twiddles: Twiddles, real: Float64Array, imaginary: Float64Array): void => {
  const { side } = twiddles;
  transform(twiddles, real, imaginary);
  for (let x = 0; x <= side / 2; x++) separateColumn(side, x, real, imaginary);
  transpose(side, real);
  transpose(side, imaginary);
};

/**
 * The spectrum of the first square is the even part of the transform (its conjugate at the opposite
 * frequency), that of the second one the odd part. Both frequencies of a pair have one power; the first and
 * the middle column hold both of a pair.
 */
const separateColumn = (side: number, x: number, real: Float64Array, imaginary: Float64Array): void => {
  const end = x === 0 || x === side / 2 ? side / 2 : side - 1;
  for (let y = 0; y <= end; y++) {
    const i = x * side + y;
    const opposite = (-x & (side - 1)) * side + (-y & (side - 1));
    const evenReal = real[i]! + real[opposite]!;
    const evenImaginary = imaginary[i]! - imaginary[opposite]!;
    const oddReal = real[i]! - real[opposite]!;
    const oddImaginary = imaginary[i]! + imaginary[opposite]!;
    real[i] = (evenReal * evenReal + evenImaginary * evenImaginary) / 4;
    imaginary[i] = (oddReal * oddReal + oddImaginary * oddImaginary) / 4;
    real[opposite] = real[i]!;
    imaginary[opposite] = imaginary[i]!;
  }
};

const transpose = (side: number, values: Float64Array): void => {
  for (let y = 1; y < side; y++) {
    for (let x = 0; x < y; x++) swap(values, y * side + x, x * side + y);
  }
};

const swap = (values: Float64Array, a: number, b: number): void => {
  const kept = values[a]!;
  values[a] = values[b]!;
  values[b] = kept;
};

/** Radix-2 FFT of every column in place (Cooley and Tukey 1965), row by row: this reads memory in order. */
const transformColumns = (twiddles: Twiddles, real: Float64Array, imaginary: Float64Array): void => {
  const { side } = twiddles;
  reverseRows(side, real);
  reverseRows(side, imaginary);
  for (let length = 2; length <= side; length <<= 1) {
    const half = length >> 1;
    for (let base = 0; base < side; base += length) {
      for (let k = 0; k < half; k++) {
        combineRows(twiddles, real, imaginary, base + k, base + k + half, (k * side) / length);
      }
    }
  }
};

/** The butterfly of two rows. */
const combineRows = (
  twiddles: Twiddles,
  real: Float64Array,
  imaginary: Float64Array,
  upper: number,
  lower: number,
  index: number,
): void => {
  const { side } = twiddles;
  const cos = twiddles.cos[index]!;
  const sin = twiddles.sin[index]!;
  const end = (upper + 1) * side;
  for (let a = upper * side, b = lower * side; a < end; a++, b++) {
    const re = real[b]! * cos - imaginary[b]! * sin;
    const im = real[b]! * sin + imaginary[b]! * cos;
    real[b] = real[a]! - re;
    imaginary[b] = imaginary[a]! - im;
    real[a]! += re;
    imaginary[a]! += im;
  }
};

/** Puts the rows in bit-reversed order. */
const reverseRows = (side: number, values: Float64Array): void => {
  for (let i = 1, j = 0; i < side; i++) {
    let bit = side >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) swapRows(side, values, i, j);
  }
};

const swapRows = (side: number, values: Float64Array, a: number, b: number): void => {
  for (let x = 0; x < side; x++) swap(values, a * side + x, b * side + x);
};
