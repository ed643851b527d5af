/** A vector as integers times `step`, with the Euclidean length of the rounding error. */
export type Quantised<Integers> = {
  readonly values: Integers;
  readonly step: number;
  readonly error: number;
};

/**
 * Largest integer of a query. The largest of any row is 127, so by Cauchy-Schwarz a sum over n values is at
 * most n * 8191 * 127 < 2^31 for the 1024 values of the longer descriptor.
 */
const queryMax = 8191;
const rowMax = 127;

/** Rounds a vector to signed bytes. Its step is a float32, so that it is equal wherever it is stored. */
export const quantiseRow = (vector: Float32Array): Quantised<Int8Array> =>
  quantise(vector, rowMax, (length) => new Int8Array(length));

/** Rounds a vector to 14 bits. The error is a hundredth of a row's. */
export const quantiseQuery = (vector: Float32Array): Quantised<Int16Array> =>
  quantise(vector, queryMax, (length) => new Int16Array(length));

const quantise = <Integers extends Int8Array | Int16Array>(
  vector: Float32Array,
  largest: number,
  make: (length: number) => Integers,
): Quantised<Integers> => {
  const most = vector.reduce((found, value) => Math.max(found, Math.abs(value)), 0);
  // A vector of zeros stays zero with any step.
  const step = Math.fround(most / largest) || 1;
  const values = make(vector.length);
  let squares = 0;
  for (let i = 0; i < vector.length; i++) {
    const rounded = Math.max(-largest, Math.min(largest, Math.round(vector[i]! / step)));
    values[i] = rounded;
    squares += (vector[i]! - rounded * step) ** 2;
  }
  return { values, step, error: Math.sqrt(squares) };
};

/** Euclidean length. */
export const lengthOf = (vector: Float32Array): number =>
  Math.sqrt(vector.reduce((sum, value) => sum + value * value, 0));
