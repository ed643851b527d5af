import { selectRank } from "#contract/statistics/select-rank";
import type { Box, Image } from "#machine/imaging/image";
import { larger, smaller } from "../without-branch.ts";

/**
 * Difference between the portrait and the rest of the card in noise and compression. Physical reason: a
 * portrait from another file has its own noise and its own grid of 8 × 8 blocks. A resize removes the grid
 * (AUC 1.00 before, .60 after one resize: docs/measurements/attacks.md, Attacks on documents).
 */
export type PortraitTrace = {
  /** Log of the noise ratio, portrait over the rest of the card; 0 for equal noise. */
  readonly noise: number;
  /** The same of the face alone; absent for a small face. */
  readonly faceNoise?: number;
  /**
   * How much the noise differs between parts of the card, from the least to the most (difference of logs):
   * one sensor has one noise, a drawing has many. Absent for too few parts, and where a part has hardly any
   * noise.
   */
  readonly noiseSpread?: number;
  /** Strength of a block grid in the portrait beside the grid of the file, minus that of the rest. */
  readonly grid: number;
};

const block = 8;
const sideMin = 64;
/** Samples of a large card: blocks, and pixels per direction. More samples do not improve the mean. */
const blocksMax = 8192;
const pixelsMax = 500_000;

/**
 * Measures the box of the card and of the portrait at the resolution and origin of the file: its block grid
 * begins at 0, 0. Green replaces luma, of which it is the largest part, so that 12 MP need no grey
 * conversion. Undefined for a small portrait.
 */
export const measurePortraitTrace = (
  image: Image,
  card: Box,
  portrait: Box,
  face?: Box,
): PortraitTrace | undefined => {
  const [inner, outer] = [within(image, portrait), within(image, card)];
  if (inner.width < sideMin || inner.height < sideMin) return undefined;
  const [noiseInside, noiseAround] = [noiseOf(image, inner), noiseOf(image, outer, inner)];
  if (noiseInside === undefined || noiseAround === undefined) return undefined;
  const noiseOfFace = face && noiseOf(image, within(image, face));
  const noiseSpread = spreadOf(image, outer, inner);
  return {
    noise: logRatio(noiseInside, noiseAround),
    ...(noiseOfFace !== undefined && { faceNoise: logRatio(noiseOfFace, noiseAround) }),
    ...(noiseSpread !== undefined && { noiseSpread }),
    grid: foreignGrid(image, inner) - foreignGrid(image, outer, inner),
  };
};

/** In grey levels: the noise that rounding alone makes. */
const noiseFloor = 0.3;

const logRatio = (noise: number, other: number): number =>
  Math.log((noise + noiseFloor) / (other + noiseFloor));

const partsAcross = 4;
const partsDown = 3;
const partsMin = 6;
/** Grey levels: below it, a part is drawn, white, or pressed flat. */
const partNoiseMin = 0.5;

const spreadOf = (image: Image, { x, y, width, height }: Area, without: Area): number | undefined => {
  const noises = Array.from(
    { length: partsAcross * partsDown },
    (_, i): Area => ({
      x: Math.round(x + ((i % partsAcross) * width) / partsAcross),
      y: Math.round(y + (Math.floor(i / partsAcross) * height) / partsDown),
      width: Math.floor(width / partsAcross),
      height: Math.floor(height / partsDown),
    }),
  ).flatMap((part) => noiseOf(image, part, without) ?? []);
  const [least, most] = [Math.min(...noises), Math.max(...noises)];
  return noises.length < partsMin || least < partNoiseMin ? undefined : logRatio(most, least);
};

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
 * Noise of the smoothest quarter of the 8 × 8 blocks: root mean square of the difference between a pixel and
 * the mean of its four neighbours (the mask of Immerkær without its diagonals). Without the blocks in
 * `without`.
 */
const noiseOf = (image: Image, area: Area, without?: Area): number | undefined => {
  const found: number[] = [];
  const step = block * Math.max(1, Math.ceil(Math.sqrt((area.width * area.height) / block ** 2 / blocksMax)));
  for (let y = area.y + 1; y + block < area.y + area.height - 1; y += step) {
    for (let x = area.x + 1; x + block < area.x + area.width - 1; x += step) {
      if (without === undefined || !isIn(without, x, y)) found.push(blockNoise(image, x, y));
    }
  }
  if (found.length < 16) return undefined;
  const smoothest = found.length >> 2;
  return selectRank(Float64Array.from(found), found.length, smoothest >> 1);
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
 * Steps across the strongest column and row of a block grid, without that of the file (0), relative to the
 * median of the eight.
 */
const foreignGrid = (image: Image, area: Area, without?: Area): number =>
  (excessOf(columnSteps(image, area, without)) + excessOf(rowSteps(image, area, without))) / 2;

const excessOf = (steps: Float64Array): number => {
  const sorted = steps.toSorted();
  const middle = (sorted[3]! + sorted[4]!) / 2;
  return middle === 0 ? 0 : Math.max(...steps.subarray(1)) / middle - 1;
};

/** Mean second difference across the border before each column, by its position in a block. */
const columnSteps = (image: Image, area: Area, without: Area | undefined): Float64Array => {
  const sums = makeSums();
  for (let y = area.y + 2; y < area.y + area.height - 2; y += strideOf(area)) {
    for (const [from, to] of spansOf(area, without, y, 1)) {
      for (let x = from; x < from + block; x++) addSteps(sums, x, image, { x, to, y }, block, channels);
    }
  }
  return meansOf(sums);
};

/** The same before each row. */
const rowSteps = (image: Image, area: Area, without: Area | undefined): Float64Array => {
  const sums = makeSums();
  const stride = strideOf(area);
  for (let y = area.y + 2; y < area.y + area.height - 2; y++) {
    for (const [x, to] of spansOf(area, without, y, stride)) {
      addSteps(sums, y, image, { x, to, y }, stride, channels * image.width);
    }
  }
  return meansOf(sums);
};

/** Spans of a row of the area without `without`; each begins at a whole number of strides. */
const spansOf = (
  { x, width }: Area,
  without: Area | undefined,
  y: number,
  stride: number,
): readonly (readonly [from: number, to: number])[] => {
  const [from, to] = [x + 2, x + width - 2];
  if (without === undefined || y < without.y || y >= without.y + without.height) return [[from, to]];
  const beyond = Math.max(0, without.x + without.width - from);
  return [
    [from, Math.min(to, without.x)],
    [from + stride * Math.ceil(beyond / stride), to],
  ];
};

/** The step is at least 1. With 0 the search through an area without pixels would never end. */
const strideOf = ({ width, height }: Area): number => Math.max(1, Math.ceil((width * height) / pixelsMax));

/** Sums of twice the steps, and their counts, by position in a block. */
type StepSums = { readonly twice: Float64Array; readonly counts: Float64Array };

const makeSums = (): StepSums => ({ twice: new Float64Array(block), counts: new Float64Array(block) });

const meansOf = ({ twice, counts }: StepSums): Float64Array =>
  twice.map((sum, i) => (counts[i] === 0 ? 0 : sum / 2 / counts[i]!));

/** Adds the steps to every `stride`th pixel from `x` to `to`; the previous pixel is `step` bytes before. */
const addSteps = (
  { twice, counts }: StepSums,
  place: number,
  { data, width }: Image,
  { x, to, y }: { readonly x: number; readonly to: number; readonly y: number },
  stride: number,
  step: number,
): void => {
  if (x >= to) return;
  let sum = 0;
  const end = greenAt(width, to, y);
  for (let i = greenAt(width, x, y); i < end; i += channels * stride) sum += twiceStepAt(data, i, step);
  twice[place % block]! += sum;
  counts[place % block]! += Math.ceil((to - x) / stride);
};

/** Twice the difference between the step to a pixel and the mean of the steps beside it: a whole number. */
const twiceStepAt = (data: Uint8Array, i: number, step: number): number => {
  const here = data[i]!;
  const before = data[i - step]!;
  const beside = Math.abs(before - data[i - 2 * step]!) + Math.abs(data[i + step]! - here);
  return smaller(2 * stepMax, larger(0, 2 * Math.abs(here - before) - beside));
};

/** Edges of the image content are larger than those of a grid. */
const stepMax = 12;
