import { cropSide } from "./levelling.ts";
import { findPatch, type SearchSpace } from "./lucas-kanade.ts";
import type { Pyramid } from "./pyramid.ts";

/**
 * Pixels of the crop: how far the way back may miss the start, how far a place may lie from where its search
 * began.
 */
const missMax = 0.8;
const moveMax = 14;
/** A place nearer to the border of the crop shows too little of its surroundings. */
const borderMin = 8;

/**
 * Follows places of crop `one` to crop `two`, x and y in turns. `to` holds where each search begins, and then
 * where it ended. Returns 1 for each point that was followed: the way back ends where it came from, near the
 * start and off the border. The place of another point stays where its search began.
 */
export const track = (
  one: Pyramid,
  two: Pyramid,
  from: Float64Array,
  to: Float64Array,
  space: SearchSpace,
): Uint8Array => {
  const isFollowed = new Uint8Array(from.length / 2);
  for (let i = 0; i < isFollowed.length; i++) {
    const [x, y] = [from[2 * i]!, from[2 * i + 1]!];
    const [startX, startY] = [to[2 * i]!, to[2 * i + 1]!];
    if (!isInside(x, y) || !isInside(startX, startY)) continue;
    [space.x, space.y] = [startX, startY];
    if (!findPatch(one, two, x, y, space)) continue;
    const [foundX, foundY] = [space.x, space.y];
    if (!isInside(foundX, foundY) || !(Math.hypot(foundX - startX, foundY - startY) < moveMax)) continue;
    [space.x, space.y] = [x, y];
    if (!findPatch(two, one, foundX, foundY, space)) continue;
    if (!(Math.hypot(space.x - x, space.y - y) < missMax)) continue;
    isFollowed[i] = 1;
    to[2 * i] = foundX;
    to[2 * i + 1] = foundY;
  }
  return isFollowed;
};

const isInside = (x: number, y: number): boolean =>
  x > borderMin && y > borderMin && x < cropSide - borderMin && y < cropSide - borderMin;
