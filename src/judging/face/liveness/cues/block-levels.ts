import type { Image, Imaging } from "#machine/imaging/image";

/** A frequency of a block, 0 to 2 across (`u`) and down (`v`), and its step in the quantisation table. */
export type Frequency = { readonly u: number; readonly v: number; readonly step: number };

/** Columns of the frequencies: 0, 1 and 2. */
const columns = 3;
/** A larger image is sampled: at least this many blocks, and less than twice as many. */
const sampleMin = 3000;
/** Values beyond this many steps are too rare for a histogram. */
export const reach = 24;
/**
 * The sample is made grey in parts. This bounds the memory: 64 blocks of colour have 12 KB, a whole sample up
 * to 1.2 MB. The speed of other sizes was not measured.
 */
const blocksAtOnce = 64;

/** For each frequency, the count of blocks at each multiple of its step, from -`reach` to `reach`. */
export const levelsOf = (
  { toGrey }: Pick<Imaging, "toGrey">,
  image: Image,
  wanted: readonly Frequency[],
): readonly Float64Array[] => {
  const blocks = Math.floor(image.width / 8) * Math.floor(image.height / 8);
  const histograms = wanted.map(() => new Float64Array(2 * reach + 1));
  const stride = Math.max(1, Math.floor(blocks / sampleMin));
  const part = new Uint8Array(blocksAtOnce * 64 * 3);
  for (let block = 0; block < blocks; block += stride * blocksAtOnce) {
    const count = Math.min(blocksAtOnce, Math.ceil((blocks - block) / stride));
    copyBlocks(part.subarray(0, count * 64 * 3), image, block, stride);
    const { data } = toGrey({ width: 8, height: 8 * count, data: part });
    countLevels(histograms, wanted, data);
  }
  return histograms;
};

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

const cosines = Float64Array.from({ length: 64 }, (_, i) =>
  Math.cos(((2 * (i & 7) + 1) * (i >> 3) * Math.PI) / 16),
);

/** Adds blocks that lie one below the other to the histograms. */
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
