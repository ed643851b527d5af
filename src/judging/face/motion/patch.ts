/** Pixels on either side of the middle of a patch, its side and its number of pixels. */
export const patchHalf = 9;
export const patchSide = 2 * patchHalf + 1;
export const patchSize = patchSide * patchSide;

/**
 * Pixels that a padded plane repeats beyond each border: a patch about any of its places can be read as it
 * lies.
 */
const margin = patchHalf + 1;

/** A square one-channel image with its border repeated, row by row. */
export type PaddedPlane = { readonly side: number; readonly stride: number; readonly data: Float32Array };

export const makePaddedPlane = (side: number): PaddedPlane => {
  const stride = side + 2 * margin;
  return { side, stride, data: new Float32Array(stride * stride) };
};

/** The index of pixel (0, y). */
export const rowOf = ({ stride }: PaddedPlane, y: number): number => (y + margin) * stride + margin;

/** Repeats the border of a plane whose own pixels are filled. */
export const padBorder = (plane: PaddedPlane): void => {
  const { side, data } = plane;
  for (let y = 0; y < side; y++) {
    const row = rowOf(plane, y);
    data.fill(data[row]!, row - margin, row);
    data.fill(data[row + side - 1]!, row + side, row + side + margin);
  }
  const rowAt = (y: number): number => rowOf(plane, y) - margin;
  for (let y = 1; y <= margin; y++) {
    data.copyWithin(rowAt(-y), rowAt(0), rowAt(1));
    data.copyWithin(rowAt(side - 1 + y), rowAt(side - 1), rowAt(side));
  }
};

/** A patch of one image: its grey levels, its slopes, and the sums of the slopes' products. */
export type Pattern = {
  readonly grey: Float32Array;
  readonly slopeX: Float32Array;
  readonly slopeY: Float32Array;
  xx: number;
  xy: number;
  yy: number;
};

export const makePattern = (): Pattern => ({
  grey: new Float32Array(patchSize),
  slopeX: new Float32Array(patchSize),
  slopeY: new Float32Array(patchSize),
  xx: 0,
  xy: 0,
  yy: 0,
});

/** Three planes of one size. */
export type SlopedPlane = {
  readonly grey: PaddedPlane;
  readonly slopeX: PaddedPlane;
  readonly slopeY: PaddedPlane;
};

/** The index of the first pixel of the patch about (x, y). */
const firstOf = (plane: PaddedPlane, x: number, y: number): number =>
  rowOf(plane, Math.floor(y) - patchHalf) + Math.floor(x) - patchHalf;

/**
 * Reads the patch about (x, y), bilinear. One loop for the three planes: the search spends its time here and
 * in `compare`.
 */
export const readPattern = (from: SlopedPlane, x: number, y: number, to: Pattern): void => {
  const { stride, data: grey } = from.grey;
  const { data: slopeX } = from.slopeX;
  const { data: slopeY } = from.slopeY;
  const across = x - Math.floor(x);
  const down = y - Math.floor(y);
  const up = 1 - down;
  let xx = 0;
  let xy = 0;
  let yy = 0;
  let row = firstOf(from.grey, x, y);
  for (let j = 0, at = 0; j < patchSide; j++, row += stride) {
    let left = grey[row]! * up + grey[row + stride]! * down;
    let leftX = slopeX[row]! * up + slopeX[row + stride]! * down;
    let leftY = slopeY[row]! * up + slopeY[row + stride]! * down;
    for (let i = row + 1; i <= row + patchSide; i++, at++) {
      const right = grey[i]! * up + grey[i + stride]! * down;
      const rightX = slopeX[i]! * up + slopeX[i + stride]! * down;
      const rightY = slopeY[i]! * up + slopeY[i + stride]! * down;
      const sx = leftX + (rightX - leftX) * across;
      const sy = leftY + (rightY - leftY) * across;
      to.grey[at] = left + (right - left) * across;
      to.slopeX[at] = sx;
      to.slopeY[at] = sy;
      xx += sx * sx;
      xy += sx * sy;
      yy += sy * sy;
      left = right;
      leftX = rightX;
      leftY = rightY;
    }
  }
  to.xx = xx;
  to.xy = xy;
  to.yy = yy;
};

/** The difference of a pattern from the patch about (x, y), weighed by each slope and summed. */
export type Difference = { x: number; y: number };

export const compare = (pattern: Pattern, plane: PaddedPlane, x: number, y: number, to: Difference): void => {
  const { stride, data } = plane;
  const { grey, slopeX, slopeY } = pattern;
  const across = x - Math.floor(x);
  const down = y - Math.floor(y);
  const up = 1 - down;
  let sumX = 0;
  let sumY = 0;
  let row = firstOf(plane, x, y);
  for (let j = 0, at = 0; j < patchSide; j++, row += stride) {
    let left = data[row]! * up + data[row + stride]! * down;
    for (let i = row + 1; i <= row + patchSide; i++, at++) {
      const right = data[i]! * up + data[i + stride]! * down;
      const difference = grey[at]! - (left + (right - left) * across);
      sumX += difference * slopeX[at]!;
      sumY += difference * slopeY[at]!;
      left = right;
    }
  }
  to.x = sumX;
  to.y = sumY;
};
