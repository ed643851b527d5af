import type { FileFacts, GreyImage } from "#imaging/image";
import { upperMedian } from "#statistics/quantile";
import { ramp } from "#statistics/ramp";
import type { Cue } from "./cue.ts";
import type { Compression } from "./measured-cues.ts";

/** Low frequencies (column, row) with enough large values. */
const frequencies: readonly (readonly [number, number])[] = [
  [1, 0],
  [0, 1],
  [1, 1],
  [2, 0],
  [0, 2],
];
const blocksMin = 600;
const blocksMax = 3000;
/** Values beyond this many steps are too rare for a histogram. */
const reach = 24;

/**
 * Needs the image at the size and orientation of the file, and its luminance table in zigzag order. Undefined for other
 * files, small images, and tables that are coarse or very fine.
 */
export const measureCompression = (
  grey: GreyImage,
  file: FileFacts,
  scale: number,
): Compression | undefined => {
  const steps = file.jpegSteps;
  const blocks = Math.floor(grey.width / 8) * Math.floor(grey.height / 8);
  if (steps === undefined || scale !== 1 || blocks < blocksMin) return undefined;
  const stride = Math.max(1, Math.floor(blocks / blocksMax));
  const patterns = frequencies.flatMap(([u, v]) => {
    const step = steps[zigzagOf(u, v)] ?? 0;
    return step < 2 ? [] : [regularity(histogramOf(grey, u, v, step, stride))];
  });
  return patterns.length < 2 ? undefined : { doubleQuantisation: upperMedian(patterns) };
};

/** Place of a low frequency in zigzag order (ITU-T T.81, figure A.6). */
const zigzagOf = (u: number, v: number): number => {
  const table = [0, 1, 5, 2, 4, 7, 3, 8, 12];
  return table[v * 3 + u]!;
};

const cosines = Float64Array.from({ length: 64 }, (_, i) =>
  Math.cos(((2 * (i & 7) + 1) * (i >> 3) * Math.PI) / 16),
);

/** How often each multiple of the step occurs, from -reach to reach. */
const histogramOf = (
  { width, height, data }: GreyImage,
  u: number,
  v: number,
  step: number,
  stride: number,
): Float64Array => {
  const histogram = new Float64Array(2 * reach + 1);
  const scale = ((u === 0 ? Math.SQRT1_2 : 1) * (v === 0 ? Math.SQRT1_2 : 1)) / 4;
  const across = Math.floor(width / 8);
  const count = across * Math.floor(height / 8);
  for (let block = 0; block < count; block += stride) {
    const start = Math.floor(block / across) * 8 * width + (block % across) * 8;
    let sum = 0;
    for (let y = 0; y < 8; y++) {
      let row = 0;
      for (let x = 0; x < 8; x++) row += data[start + y * width + x]! * cosines[8 * u + x]!;
      sum += row * cosines[8 * v + y]!;
    }
    const level = Math.round((sum * scale) / step);
    if (Math.abs(level) <= reach) histogram[level + reach]!++;
  }
  return histogram;
};

/**
 * After one rounding, the logarithm of the histogram falls in straight lines from its middle (Laplace distribution). The
 * difference of each bin from the mean of its two neighbours is searched for a period of two to eight bins.
 */
const regularity = (histogram: Float64Array): number => {
  const size = histogram.length;
  const rest = new Float64Array(size);
  let used = 0;
  for (let i = 1; i < size - 1; i++) {
    const [before, here, after] = [histogram[i - 1]!, histogram[i]!, histogram[i + 1]!];
    if (Math.abs(i - reach) <= 1 || before + here + after < countMin) continue;
    rest[i] = Math.log(here + 1) - (Math.log(before + 1) + Math.log(after + 1)) / 2;
    used++;
  }
  if (used < binsMin) return 0;
  let strongest = 0;
  for (let wave = Math.ceil(size / 8); wave <= size / 2; wave += 0.5) {
    let [re, im] = [0, 0];
    for (let i = 0; i < size; i++) {
      const angle = (2 * Math.PI * wave * i) / size;
      re += rest[i]! * Math.cos(angle);
      im += rest[i]! * Math.sin(angle);
    }
    strongest = Math.max(strongest, Math.hypot(re, im) / used);
  }
  return strongest;
};

/** Fewer counts in three bins are noise, and fewer bins show no period. */
const countMin = 30;
const binsMin = 8;

export const compressedTwice: Cue = {
  name: "compressed-twice",
  strength: "digital",
  reason:
    "The file was compressed at least twice: it did not come straight from a camera. Messengers and image editors do that, and so do some honest applications.",
  weigh: ({ cues }) =>
    cues?.compression &&
    ramp(cues.compression.doubleQuantisation, [
      [0.35, 0],
      [0.7, 0.4],
    ]),
};
