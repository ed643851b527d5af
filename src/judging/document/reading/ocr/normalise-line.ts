/** Destination of a line's values: from `at`, each row `rowLength` values after the previous one. */
export type LineTarget = { readonly data: Float32Array; readonly at: number; readonly rowLength: number };

const contrastMin = 25;
/** The percentiles use every fourth column, as in training. */
const sampledEvery = 4;

const percentiles = (
  values: Float32Array,
  width: number,
  height: number,
): readonly [low: number, high: number] => {
  const histogram = new Int32Array(256);
  let total = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x += sampledEvery, total++) {
      const value = values[y * width + x]!;
      histogram[value < 0 ? 0 : value > 255 ? 255 : value | 0]!++;
    }
  }
  const at = (share: number): number => {
    let count = 0;
    const level = histogram.findIndex((n) => (count += n) > total * share);
    return level < 0 ? 255 : level;
  };
  return [at(0.02), at(0.95)];
};

/**
 * Normalises a grey line as in the training of the line networks: the 2nd percentile becomes −1 and the 95th
 * 1, clipped at −1.6 and 1.8. The contrast is never stretched beyond 25 grey levels.
 */
export const writeNormalised = (
  values: Float32Array,
  width: number,
  height: number,
  { data, at, rowLength }: LineTarget,
): void => {
  const [low, high] = percentiles(values, width, height);
  const range = Math.max(contrastMin, high - low);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const value = (values[y * width + x]! - low) / range;
      data[at + y * rowLength + x] = (value < -0.3 ? -0.3 : value > 1.4 ? 1.4 : value) * 2 - 1;
    }
  }
};
