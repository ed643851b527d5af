import type { Box, Image } from "#imaging/image";

/**
 * How the portrait differs from the rest of the card in what a file keeps of its making. Physical reason: a portrait that
 * was laid over another file brings its own noise and its own grid of 8 × 8 blocks. Sending a file on or scaling it takes the
 * grid away (AUC 1.00 before, .60 after one resize: docs/measurements.md, Attacks on documents).
 */
export type PortraitTrace = {
  /** Log of the portrait's noise over that of the rest of the card; 0 where both are alike. */
  readonly noise: number;
  /** Strength of a block grid inside the portrait that the file's own grid does not explain, less that of the rest. */
  readonly grid: number;
};

const block = 8;
const sideMin = 64;
/** What a large card is sampled at: blocks, and pixels a direction. More make no mean surer than its picture is. */
const blocksMax = 8192;
const pixelsMax = 500_000;

/**
 * Of the picture at the file's own resolution and place (its block grid begins at 0, 0): the card's box and the portrait's in
 * it. Green stands for luma, of which it is the most: twelve megapixels need not be made grey. Undefined where the portrait
 * is too small to tell.
 */
export const measurePortraitTrace = (image: Image, card: Box, portrait: Box): PortraitTrace | undefined => {
  const [inner, outer] = [within(image, portrait), within(image, card)];
  if (inner.width < sideMin || inner.height < sideMin) return undefined;
  const [noiseInside, noiseAround] = [noiseOf(image, inner), noiseOf(image, outer, inner)];
  if (noiseInside === undefined || noiseAround === undefined) return undefined;
  return {
    noise: Math.log((noiseInside + noiseFloor) / (noiseAround + noiseFloor)),
    grid: foreignGrid(image, inner) - foreignGrid(image, outer, inner),
  };
};

/** Grey levels: rounding alone leaves that much. */
const noiseFloor = 0.3;

type Area = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

const within = ({ width, height }: Image, box: Box): Area => {
  const x = Math.max(0, Math.ceil(box.x));
  const y = Math.max(0, Math.ceil(box.y));
  return {
    x,
    y,
    width: Math.max(0, Math.min(width, Math.floor(box.x + box.width)) - x),
    height: Math.max(0, Math.min(height, Math.floor(box.y + box.height)) - y),
  };
};

const channels = 3;
const greenAt = (width: number, x: number, y: number): number => channels * (y * width + x) + 1;

const isIn = ({ x, y, width, height }: Area, px: number, py: number): boolean =>
  px >= x && py >= y && px < x + width && py < y + height;

/**
 * Noise of the smoothest quarter of the 8 × 8 blocks: root mean square of what the mean of a pixel's four neighbours leaves
 * unexplained (Immerkær's mask without its diagonals). Blocks in `without` are left out.
 */
const noiseOf = (image: Image, area: Area, without?: Area): number | undefined => {
  const found: number[] = [];
  const step = block * Math.ceil(Math.sqrt((area.width * area.height) / block ** 2 / blocksMax));
  for (let y = area.y + 1; y + block < area.y + area.height - 1; y += step) {
    for (let x = area.x + 1; x + block < area.x + area.width - 1; x += step) {
      if (without === undefined || !isIn(without, x, y)) found.push(blockNoise(image, x, y));
    }
  }
  if (found.length < 16) return undefined;
  const smooth = found.toSorted((a, b) => a - b).slice(0, found.length >> 2);
  return smooth[smooth.length >> 1]!;
};

const blockNoise = ({ data, width }: Image, left: number, top: number): number => {
  let sum = 0;
  const row = channels * width;
  for (let y = top; y < top + block; y++) {
    for (let x = left, i = greenAt(width, left, y); x < left + block; x++, i += channels) {
      const around = data[i - channels]! + data[i + channels]! + data[i - row]! + data[i + row]!;
      sum += (data[i]! - around / 4) ** 2;
    }
  }
  return Math.sqrt(sum / (block * block));
};

/**
 * How much stronger the steps across the strongest column and row of a block grid are than across the others, the file's own
 * (0) left out; over the median of the eight.
 */
const foreignGrid = (image: Image, area: Area, without?: Area): number =>
  (excessOf(columnSteps(image, area, without)) + excessOf(rowSteps(image, area, without))) / 2;

const excessOf = (steps: Float64Array): number => {
  const sorted = steps.toSorted();
  const middle = (sorted[3]! + sorted[4]!) / 2;
  return middle === 0 ? 0 : Math.max(...steps.subarray(1)) / middle - 1;
};

/** Mean second difference across the border before each column, by its place in a block. */
const columnSteps = (image: Image, area: Area, without: Area | undefined): Float64Array =>
  meansOf((sums, counts) => {
    for (let y = area.y + 2; y < area.y + area.height - 2; y += strideOf(area)) {
      for (let x = area.x + 2; x < area.x + area.width - 2; x++) {
        if (without !== undefined && isIn(without, x, y)) {
          x = without.x + without.width - 1;
          continue;
        }
        sums[x % block]! += stepAt(image.data, greenAt(image.width, x, y), channels);
        counts[x % block]! += 1;
      }
    }
  });

/** The same before each row. */
const rowSteps = (image: Image, area: Area, without: Area | undefined): Float64Array =>
  meansOf((sums, counts) => {
    const stride = strideOf(area);
    for (let y = area.y + 2; y < area.y + area.height - 2; y++) {
      for (let x = area.x + 2; x < area.x + area.width - 2; x += stride) {
        if (without !== undefined && isIn(without, x, y)) continue;
        sums[y % block]! += stepAt(image.data, greenAt(image.width, x, y), channels * image.width);
        counts[y % block]! += 1;
      }
    }
  });

const strideOf = ({ width, height }: Area): number => Math.ceil((width * height) / pixelsMax);

const meansOf = (add: (sums: Float64Array, counts: Float64Array) => void): Float64Array => {
  const [sums, counts] = [new Float64Array(block), new Float64Array(block)];
  add(sums, counts);
  return sums.map((sum, i) => (counts[i] === 0 ? 0 : sum / counts[i]!));
};

/** What the step to a pixel has over the mean of the steps before and after it. */
const stepAt = (data: Uint8Array, i: number, step: number): number => {
  const across = Math.abs(data[i]! - data[i - step]!);
  const beside = Math.abs(data[i - step]! - data[i - 2 * step]!) + Math.abs(data[i + step]! - data[i]!);
  return Math.min(stepMax, Math.max(0, across - beside / 2));
};

/** Edges of the picture itself are larger than those of a grid. */
const stepMax = 12;
