import { upperMedian } from "#contract/statistics/quantile";
import type { Box, GreyImage } from "#machine/imaging/image";
import { block, makeBlockTransform, zigzag } from "./block-transform.ts";

/**
 * How much fine detail portrait and face have beside coarse detail, against the rest of the card. Physical
 * reason: one camera, or one scanner, shows a whole card through one lens. A part that was enlarged from a
 * smaller image lacks what even the least sharp part of the card has, and a face that was put into a portrait
 * lacks what hair, clothes and background around it have.
 */
export type FineDetail = {
  /** Logs of fine over coarse detail, of the blocks with detail; absent for too few. */
  readonly portrait?: number;
  /** Of the face without its outline. */
  readonly face?: number;
  /** Of the portrait around the face: the median of its four sides. */
  readonly around?: number;
  /** Of the least detailed part of the card. */
  readonly least: number;
};

const tilesAcross = 5;
const tilesDown = 4;
const tilesMin = 4;
const blocksMin = 12;
/** Coarse detail of a block that can be judged: below it, noise is all that there is. */
const coarseMin = 300;
/** Keeps the ratio of flat blocks bounded. */
const floor = 5;
/** Coarse: frequencies from 3 to 5, across plus down. Fine: all above. */
const coarseFrom = 3;
/** The place among a part's blocks, from the least detailed, that stands for the part. */
const rank = 0.75;
/** Blocks of a part that are read at most. */
const partBlocksMax = 600;

/** Measures an upright side. Undefined where too few parts of the card have detail. */
export const measureFineDetail = (
  side: GreyImage,
  { portrait, face }: { readonly portrait: Box; readonly face: Box },
): FineDetail | undefined => {
  const measure = makeMeasurePart(side);
  const tiles = tilesOf(side).flatMap((tile) => measure(tile, portrait) ?? []);
  if (tiles.length < tilesMin) return undefined;
  const own = { portrait: measure(portrait), face: measure(innerOf(face)) };
  const around = sidesOf(portrait, face).flatMap((part) => measure(part) ?? []);
  return {
    ...(own.portrait !== undefined && { portrait: own.portrait }),
    ...(own.face !== undefined && { face: own.face }),
    ...(around.length > 0 && { around: upperMedian(around) }),
    least: Math.min(...tiles),
  };
};

const innerOf = ({ x, y, width, height }: Box): Box => ({
  x: x + 0.1 * width,
  y: y + 0.1 * height,
  width: 0.8 * width,
  height: 0.8 * height,
});

/** The portrait above the face, below it, and on both sides of it. */
const sidesOf = (portrait: Box, face: Box): readonly Box[] => {
  const [right, bottom] = [face.x + face.width, face.y + face.height];
  return [
    { ...portrait, height: face.y - portrait.y },
    { ...portrait, y: bottom, height: portrait.y + portrait.height - bottom },
    { ...face, x: portrait.x, width: face.x - portrait.x },
    { ...face, x: right, width: portrait.x + portrait.width - right },
  ];
};

const tilesOf = ({ width, height }: GreyImage): readonly Box[] =>
  Array.from({ length: tilesAcross * tilesDown }, (_, i) => ({
    x: ((i % tilesAcross) * width) / tilesAcross,
    y: (Math.floor(i / tilesAcross) * height) / tilesDown,
    width: width / tilesAcross,
    height: height / tilesDown,
  }));

const makeMeasurePart = ({ width, height, data }: GreyImage) => {
  const { pixels, coefficients, run } = makeBlockTransform();
  /** Writes a block to the transform; returns the sum of its squares. */
  const fill = (left: number, top: number): number => {
    let squares = 0;
    for (let y = 0, to = 0; y < block; y++) {
      for (let x = 0, at = (top + y) * width + left; x < block; x++, at++) {
        const value = data[at]!;
        pixels[to++] = value;
        squares += value * value;
      }
    }
    return squares;
  };
  return (area: Box, without?: Box): number | undefined => {
    const found: number[] = [];
    const [left, top] = [Math.max(0, Math.ceil(area.x)), Math.max(0, Math.ceil(area.y))];
    const right = Math.min(width, area.x + area.width) - block;
    const bottom = Math.min(height, area.y + area.height) - block;
    const step = stepOf(right - left, bottom - top);
    for (let y = top; y <= bottom; y += step) {
      for (let x = left; x <= right; x += step) {
        if (without !== undefined && isBeside(without, x, y)) continue;
        const squares = fill(x, y);
        run();
        const ratio = ratioOf(squares, coefficients);
        if (ratio !== undefined) found.push(ratio);
      }
    }
    return found.length < blocksMin
      ? undefined
      : found.toSorted((a, b) => a - b)[Math.floor(found.length * rank)];
  };
};

/** Blocks overlap in small parts, so that a small portrait has enough of them. */
const stepOf = (across: number, down: number): number =>
  Math.max(block / 2, Math.ceil(Math.sqrt((Math.max(0, across) * Math.max(0, down)) / partBlocksMax)));

/** The portrait with its border, in shares of the portrait. */
const isBeside = ({ x, y, width, height }: Box, left: number, top: number): boolean =>
  left + block > x - 0.2 * width &&
  top + block > y - 0.25 * height &&
  left < x + 1.2 * width &&
  top < y + 1.25 * height;

const ratioOf = (squares: number, coefficients: Float64Array): number | undefined => {
  let low = 0;
  let coarse = 0;
  for (let i = 0; i < coefficients.length; i++) {
    const power = coefficients[i]! ** 2;
    if (zigzag[i]![0] + zigzag[i]![1] < coarseFrom) low += power;
    else coarse += power;
  }
  if (coarse < coarseMin) return undefined;
  return 0.5 * Math.log((Math.max(0, squares - low - coarse) + floor) / (coarse + floor));
};
