/** Pixels along a side of a block, as JPEG has them. */
export const block = 8;

/** The cosine transform of a block by its lowest frequencies, across plus down up to `frequencySum`. */
export const frequencySum = 5;

type Frequency = readonly [across: number, down: number];

/** Of one sum; odd sums begin at the top right. */
const diagonal = (sum: number): readonly Frequency[] =>
  Array.from({ length: sum + 1 }, (_, i): Frequency => (sum % 2 === 1 ? [sum - i, i] : [i, sum - i]));

/** Frequencies in the zigzag order of JPEG (ITU-T T.81, figure A.6), the mean first: across and down. */
export const zigzag: readonly Frequency[] = Array.from({ length: frequencySum + 1 }, (_, sum) =>
  diagonal(sum),
).flat();

const waves = Array.from({ length: frequencySum + 1 }, (_, frequency) =>
  Float64Array.from(
    { length: block },
    (__, at) =>
      (frequency === 0 ? Math.sqrt(1 / block) : Math.sqrt(2 / block)) *
      Math.cos(((2 * at + 1) * frequency * Math.PI) / (2 * block)),
  ),
);

/**
 * A transform with its own memory: it writes the coefficients of the block to `coefficients`, in zigzag
 * order.
 */
export type BlockTransform = {
  readonly pixels: Float64Array;
  readonly coefficients: Float64Array;
  readonly run: () => void;
};

// Plain loops: a side has thousands of blocks.
export const makeBlockTransform = (): BlockTransform => {
  const pixels = new Float64Array(block * block);
  const rows = new Float64Array(block * (frequencySum + 1));
  const coefficients = new Float64Array(zigzag.length);
  const sumRow = (y: number, across: number): number => {
    const wave = waves[across]!;
    let sum = 0;
    for (let x = 0; x < block; x++) sum += pixels[y * block + x]! * wave[x]!;
    return sum;
  };
  const sumColumn = (across: number, down: number): number => {
    const wave = waves[down]!;
    let sum = 0;
    for (let y = 0; y < block; y++) sum += rows[y * (frequencySum + 1) + across]! * wave[y]!;
    return sum;
  };
  const run = (): void => {
    for (let y = 0; y < block; y++) {
      for (let across = 0; across <= frequencySum; across++) {
        rows[y * (frequencySum + 1) + across] = sumRow(y, across);
      }
    }
    for (let i = 0; i < zigzag.length; i++) coefficients[i] = sumColumn(zigzag[i]![0], zigzag[i]![1]);
  };
  return { pixels, coefficients, run };
};
