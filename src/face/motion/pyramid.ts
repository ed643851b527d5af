import type { GreyImage } from "#imaging/image";
import { blurFine, halve, makePlane, type Plane } from "./blur.ts";
import { type CropSpace, drawCrop } from "./draw-crop.ts";
import { cropSide, type Levelling } from "./levelling.ts";

/** One size of a crop, with its slopes in grey levels a pixel. */
export type PyramidLevel = { readonly grey: Plane; readonly slopeX: Plane; readonly slopeY: Plane };

/** A levelled crop in full and in half size, full size first. */
export type Pyramid = readonly [full: PyramidLevel, half: PyramidLevel];

export const makePyramid = (): Pyramid => [makeLevel(cropSide), makeLevel(cropSide / 2)];

const makeLevel = (side: number): PyramidLevel => ({
  grey: makePlane(side, side),
  slopeX: makePlane(side, side),
  slopeY: makePlane(side, side),
});

export const makeCropSpace = (): CropSpace => ({
  sharp: makePlane(cropSide, cropSide),
  mean: makePlane(cropSide, cropSide),
  rows: makePlane(cropSide, cropSide),
});

/** Fills a pyramid with the face of a frame. */
export const fillPyramid = (
  frame: GreyImage,
  levelling: Levelling,
  [full, half]: Pyramid,
  space: CropSpace,
): void => {
  drawCrop(frame, levelling, full.grey, space);
  blurFine(full.grey, space.sharp, space.rows);
  halve(space.sharp, half.grey);
  fillSlopes(full);
  fillSlopes(half);
};

/** Scharr's slopes: the difference of both neighbours, over three rows with weights 3, 10 and 3 of 16. */
const fillSlopes = ({ grey, slopeX, slopeY }: PyramidLevel): void => {
  const { width, height, data } = grey;
  for (let y = 0; y < height; y++) {
    const above = Math.max(0, y - 1) * width;
    const here = y * width;
    const below = Math.min(height - 1, y + 1) * width;
    for (let x = 0; x < width; x++) {
      const [l, r] = [Math.max(0, x - 1), Math.min(width - 1, x + 1)];
      const cornerFall = data[below + r]! - data[above + l]!;
      const cornerRise = data[above + r]! - data[below + l]!;
      const across = data[here + r]! - data[here + l]!;
      const down = data[below + x]! - data[above + x]!;
      slopeX.data[here + x] = (3 * (cornerFall + cornerRise) + 10 * across) / 32;
      slopeY.data[here + x] = (3 * (cornerFall - cornerRise) + 10 * down) / 32;
    }
  }
};
