import type { GreyImage } from "#machine/imaging/image";
import { blurFine, halve, makePlane, type Plane } from "./blur.ts";
import { type CropSpace, drawCrop } from "./draw-crop.ts";
import { cropSide, type Levelling } from "./levelling.ts";
import { makePaddedPlane, type PaddedPlane, padBorder, rowOf, type SlopedPlane } from "./patch.ts";

/** One size of a crop, with its slopes in grey levels a pixel. */
export type PyramidLevel = SlopedPlane;

/** A levelled crop in full and in half size, full size first. */
export type Pyramid = readonly [full: PyramidLevel, half: PyramidLevel];

export const makePyramid = (): Pyramid => [makeLevel(cropSide), makeLevel(cropSide / 2)];

const makeLevel = (side: number): PyramidLevel => ({
  grey: makePaddedPlane(side),
  slopeX: makePaddedPlane(side),
  slopeY: makePaddedPlane(side),
});

export const makeCropSpace = (): PyramidSpace => ({
  sharp: makePlane(cropSide, cropSide),
  mean: makePlane(cropSide, cropSide),
  rows: makePlane(cropSide, cropSide),
  full: makePlane(cropSide, cropSide),
  half: makePlane(cropSide / 2, cropSide / 2),
});

/** Working space of one pyramid, with its sizes before their borders are repeated. */
export type PyramidSpace = CropSpace & { readonly full: Plane; readonly half: Plane };

/** Fills a pyramid with the face of a frame. */
export const fillPyramid = (
  frame: GreyImage,
  levelling: Levelling,
  [full, half]: Pyramid,
  space: PyramidSpace,
): void => {
  drawCrop(frame, levelling, space.full, space);
  blurFine(space.full, space.sharp, space.rows);
  halve(space.sharp, space.half);
  fillLevel(space.full, full);
  fillLevel(space.half, half);
};

const fillLevel = (from: Plane, level: PyramidLevel): void => {
  copyRows(from, level.grey);
  fillSlopes(from, level);
  for (const plane of [level.grey, level.slopeX, level.slopeY]) padBorder(plane);
};

const copyRows = ({ width, data }: Plane, to: PaddedPlane): void => {
  for (let y = 0; y < to.side; y++) to.data.set(data.subarray(y * width, (y + 1) * width), rowOf(to, y));
};

/** Scharr's slopes: the difference of both neighbours, over three rows with weights 3, 10 and 3 of 16. */
const fillSlopes = ({ width, height, data }: Plane, { slopeX, slopeY }: PyramidLevel): void => {
  for (let y = 0; y < height; y++) {
    const above = Math.max(0, y - 1) * width;
    const here = y * width;
    const below = Math.min(height - 1, y + 1) * width;
    const row = rowOf(slopeX, y);
    for (let x = 0; x < width; x++) {
      const [l, r] = [Math.max(0, x - 1), Math.min(width - 1, x + 1)];
      const cornerFall = data[below + r]! - data[above + l]!;
      const cornerRise = data[above + r]! - data[below + l]!;
      const across = data[here + r]! - data[here + l]!;
      const down = data[below + x]! - data[above + x]!;
      slopeX.data[row + x] = (3 * (cornerFall + cornerRise) + 10 * across) / 32;
      slopeY.data[row + x] = (3 * (cornerFall - cornerRise) + 10 * down) / 32;
    }
  }
};
