import type { Image, Imaging, OpenedImage } from "#imaging/image";
import { upperMedian } from "#statistics/quantile";
import { ramp } from "#statistics/ramp";
import type { Cue } from "./cue.ts";
import type { Compression } from "./measured-cues.ts";

/** Low frequencies with enough large values, and their place in zigzag order (ITU-T T.81, figure A.6). */
const frequencies = [
  { u: 1, v: 0, zigzag: 1 },
  { u: 0, v: 1, zigzag: 2 },
  { u: 1, v: 1, zigzag: 4 },
  { u: 2, v: 0, zigzag: 5 },
  { u: 0, v: 2, zigzag: 3 },
] as const;
/** Columns of the frequencies: 0, 1 and 2. */
const columns = 3;
const blocksMin = 600;
const blocksMax = 3000;
/** Values beyond this many steps are too rare for a histogram. */
const reach = 24;

/**
 * Needs the image at the size and orientation of the file, and its luminance table in zigzag order. Undefined for other
 * files, small images, and tables that are coarse or very fine.
 */
export const measureCompression = (
  { toGrey }: Pick<Imaging, "toGrey">,
  image: OpenedImage,
): Compression | undefined => {
  const steps = image.file.jpegSteps;
  const blocks = Math.floor(image.width / 8) * Math.floor(image.height / 8);
  if (steps === undefined || image.scale !== 1 || blocks < blocksMin) return undefined;
  const wanted = frequencies
    .map(({ u, v, zigzag }) => ({ u, v, step: steps[zigzag] ?? 0 }))
    .filter(({ step }) => step >= 2);
  if (wanted.length < 2) return undefined;
  const histograms = wanted.map(() => new Float64Array(2 * reach + 1));
  const stride = Math.max(1, Math.floor(blocks / blocksMax));
  const part = new Uint8Array(blocksAtOnce * 64 * 3);
  for (let block = 0; block < blocks; block += stride * blocksAtOnce) {
    const count = Math.min(blocksAtOnce, Math.ceil((blocks - block) / stride));
    copyBlocks(part.subarray(0, count * 64 * 3), image, block, stride);
    const { data } = toGrey({ width: 8, height: 8 * count, data: part });
    countLevels(histograms, wanted, data);
  }
  return { doubleQuantisation: upperMedian(histograms.map(regularity)) };
};

/** The sample is made grey in small parts: the whole image has up to ten times its pixels. */
const blocksAtOnce = 64;

/** Fills `part` with every `stride`-th block of eight by eight pixels, one below the other. */
const copyBlocks = (part: Uint8Array, { width, data }: Image, first: number, stride: number): void => {
  const across = Math.floor(width / 8);
  for (let to = 0, block = first; to < part.length; block += stride) {
    const corner = (Math.floor(block / across) * width + (block % across)) * 8;
    for (let y = 0; y < 8; y++) {
      const row = (corner + y * width) * 3;
      for (let at = row; at < row + 24; at++, to++) part[to] = data[at]!;
    }
  }
};

type Frequency = { readonly u: number; readonly v: number; readonly step: number };

const cosines = Float64Array.from({ length: 64 }, (_, i) =>
  Math.cos(((2 * (i & 7) + 1) * (i >> 3) * Math.PI) / 16),
);

/** Counts, for each frequency, the multiples of its step from -reach to reach, over blocks one below the other. */
const countLevels = (
  histograms: readonly Float64Array[],
  wanted: readonly Frequency[],
  blocks: Uint8Array,
): void => {
  const rows = new Float64Array(8 * columns);
  for (let start = 0; start < blocks.length; start += 64) {
    transformRows(rows, blocks, start);
    for (let i = 0; i < wanted.length; i++) {
      const level = levelOf(rows, wanted[i]!);
      if (Math.abs(level) <= reach) histograms[i]![level + reach]!++;
    }
  }
};

/** The cosine transform of the eight rows of a block: the frequencies share it. */
const transformRows = (rows: Float64Array, blocks: Uint8Array, start: number): void => {
  for (let y = 0; y < 8; y++) {
    let mean = 0;
    let first = 0;
    let second = 0;
    for (let x = 0; x < 8; x++) {
      const value = blocks[start + 8 * y + x]!;
      mean += value;
      first += value * cosines[8 + x]!;
      second += value * cosines[16 + x]!;
    }
    rows[columns * y] = mean;
    rows[columns * y + 1] = first;
    rows[columns * y + 2] = second;
  }
};

/** The coefficient of a frequency in whole steps. */
const levelOf = (rows: Float64Array, { u, v, step }: Frequency): number => {
  const scale = ((u === 0 ? Math.SQRT1_2 : 1) * (v === 0 ? Math.SQRT1_2 : 1)) / 4;
  let sum = 0;
  for (let y = 0; y < 8; y++) sum += rows[columns * y + u]! * cosines[8 * v + y]!;
  return Math.round((sum * scale) / step);
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
    const before = histogram[i - 1]!;
    const here = histogram[i]!;
    const after = histogram[i + 1]!;
    if (Math.abs(i - reach) <= 1 || before + here + after < countMin) continue;
    rest[i] = Math.log(here + 1) - (Math.log(before + 1) + Math.log(after + 1)) / 2;
    used++;
  }
  if (used < binsMin) return 0;
  let strongest = 0;
  for (let wave = Math.ceil(size / 8); wave <= size / 2; wave += 0.5) {
    let re = 0;
    let im = 0;
    for (let i = 0; i < size; i++) {
      if (rest[i] === 0) continue;
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
