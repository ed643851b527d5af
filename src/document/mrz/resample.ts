import type { GreyImage } from "#imaging/image";

/** For each target pixel its first source pixel and the weights of the following ones. */
type Taps = { readonly first: Int32Array; readonly weights: readonly Float32Array[] };

const catmullRom = (distance: number): number => {
  const t = Math.abs(distance);
  if (t < 1) return (1.5 * t - 2.5) * t * t + 1;
  return t < 2 ? ((-0.5 * t + 2.5) * t - 4) * t + 2 : 0;
};

/** The kernel widens when shrinking, so that fine print does not alias. */
const tapsOf = (count: number, offset: number, scale: number): Taps => {
  const stretch = Math.max(1, scale);
  const first = new Int32Array(count);
  const weights = Array.from({ length: count }, (_, i) => {
    const centre = offset + (i + 0.5) * scale - 0.5;
    const from = Math.ceil(centre - 2 * stretch);
    const to = Math.floor(centre + 2 * stretch);
    first[i] = from;
    const row = Float32Array.from({ length: to - from + 1 }, (__, k) =>
      catmullRom((from + k - centre) / stretch),
    );
    const sum = row.reduce((total, weight) => total + weight, 0);
    return row.map((weight) => weight / sum);
  });
  return { first, weights };
};

const clamp = (value: number, low: number, high: number): number =>
  value < low ? low : value > high ? high : value;

/** One row, resampled into `out` at `at`. Beyond the ends the last pixel repeats. */
const resampleRow = (
  { data, width }: GreyImage,
  row: number,
  { first, weights }: Taps,
  out: Float32Array,
  at: number,
): void => {
  const base = row * width;
  for (let x = 0; x < weights.length; x++) {
    const kernel = weights[x]!;
    const from = first[x]!;
    const isInside = from >= 0 && from + kernel.length <= width;
    let sum = 0;
    for (let k = 0; k < kernel.length; k++) {
      const i = isInside ? from + k : clamp(from + k, 0, width - 1);
      sum += data[base + i]! * kernel[k]!;
    }
    out[at + x] = sum;
  }
};

/**
 * Rows `top` to `bottom` (exclusive, may lie outside) of a grey strip at another size: antialiased Catmull-Rom, edges
 * repeated. Own code because a call of the picture library costs more than the whole line (3.4 against 1.9 ms).
 */
export const resampleRows = (
  strip: GreyImage,
  top: number,
  bottom: number,
  width: number,
  height: number,
): Float32Array => {
  const across = tapsOf(width, 0, strip.width / width);
  const down = tapsOf(height, top, (bottom - top) / height);
  const low = clamp(down.first[0]!, 0, strip.height - 1);
  const high = clamp(down.first[height - 1]! + down.weights[height - 1]!.length - 1, low, strip.height - 1);
  const wide = new Float32Array((high - low + 1) * width);
  for (let y = low; y <= high; y++) {
    resampleRow(strip, y, across, wide, (y - low) * width);
  }
  const out = new Float32Array(width * height);
  for (let y = 0; y < height; y++) {
    for (const [k, weight] of down.weights[y]!.entries()) {
      const from = (clamp(down.first[y]! + k, low, high) - low) * width;
      for (let x = 0; x < width; x++) {
        out[y * width + x]! += wide[from + x]! * weight;
      }
    }
  }
  return out;
};
