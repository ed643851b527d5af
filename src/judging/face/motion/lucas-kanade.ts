import { compare, type Difference, makePattern, type Pattern, patchSize, readPattern } from "./patch.ts";
import type { Pyramid, PyramidLevel } from "./pyramid.ts";

/** Working space of one search. */
export type SearchSpace = {
  readonly pattern: Pattern;
  readonly difference: Difference;
  /** Where the last search ended. */
  x: number;
  y: number;
};

export const makeSearchSpace = (): SearchSpace => ({
  pattern: makePattern(),
  difference: { x: 0, y: 0 },
  x: 0,
  y: 0,
});

/** Steps of one search at most, and the step in pixels that ends it (OpenCV's criteria in the study). */
const stepsMax = 25;
const stepMin = 0.01;
/** In half size: the search in full size goes on from there. */
const halfStepMin = 0.05;
/**
 * Least curvature of a patch that fixes a place: mean squared slope along its weakest direction (OpenCV's
 * default, 1e-4).
 */
const curvatureMin = 0.1;

/**
 * Finds the patch about (x, y) of `one` in `two`, from `space.x`, `space.y`: in half size, then in full
 * (Lucas and Kanade 1981; Bouguet 2001). True, with the place in `space`, unless the patch has no pattern or
 * leaves the crop.
 */
export const findPatch = (one: Pyramid, two: Pyramid, x: number, y: number, space: SearchSpace): boolean => {
  space.x /= 2;
  space.y /= 2;
  // A patch without pattern in half size keeps its start, and may have one in full size.
  search(one[1], two[1], x / 2, y / 2, space, halfStepMin);
  space.x *= 2;
  space.y *= 2;
  return search(one[0], two[0], x, y, space, stepMin);
};

const search = (
  one: PyramidLevel,
  two: PyramidLevel,
  x: number,
  y: number,
  space: SearchSpace,
  least: number,
): boolean => {
  const { pattern, difference } = space;
  readPattern(one, x, y, pattern);
  const { xx, xy, yy } = pattern;
  const weakest = (xx + yy - Math.hypot(xx - yy, 2 * xy)) / (2 * patchSize);
  if (!(weakest >= curvatureMin)) return false;
  const determinant = xx * yy - xy * xy;
  let [lastX, lastY] = [0, 0];
  for (let step = 0; step < stepsMax; step++) {
    if (!isOn(two, space.x, space.y)) return false;
    compare(pattern, two.grey, space.x, space.y, difference);
    const stepX = (yy * difference.x - xy * difference.y) / determinant;
    const stepY = (xx * difference.y - xy * difference.x) / determinant;
    space.x += stepX;
    space.y += stepY;
    if (stepX * stepX + stepY * stepY < least * least) break;
    if (step > 0 && Math.abs(stepX + lastX) < least && Math.abs(stepY + lastY) < least) {
      // The search swings between two places: the middle is the answer.
      space.x -= stepX / 2;
      space.y -= stepY / 2;
      break;
    }
    [lastX, lastY] = [stepX, stepY];
  }
  return isOn(two, space.x, space.y);
};

const isOn = ({ grey: { side } }: PyramidLevel, x: number, y: number): boolean =>
  x >= 0 && y >= 0 && x <= side - 1 && y <= side - 1;
