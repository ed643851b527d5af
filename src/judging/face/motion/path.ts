import { reliefPointsMin } from "./relief.ts";

/** Where a frame lies on the way that the landmarks took from the first frame to the last. */
export type PathPlace = {
  /** Share of the whole way: 0 for the first frame, 1 for the last. */
  readonly along: number;
  /**
   * Growth of the distance from the straight way since the frame before, in whole ways: what no turn in one
   * direction explains.
   */
  readonly aside: number;
};

/**
 * Measures the way of landmarks that were followed through every frame. `passed` holds their places in the
 * levelled crop of each frame, x and y in turns. What all landmarks of a frame share, a shift, a growth and a
 * rotation in the image, counts nothing: it is the error of its eyes, by which the crop was levelled.
 * Undefined for too few landmarks, and where the last frame shows them where the first did.
 */
export const measurePath = (
  passed: readonly Float64Array[],
  isFollowed: Uint8Array,
): readonly PathPlace[] | undefined => {
  const kept = Int32Array.from(isFollowed.keys()).filter((i) => isFollowed[i] === 1);
  const [first] = passed;
  if (first === undefined || kept.length < reliefPointsMin) return undefined;
  const ways = passed.map((places) => wayOf(first, places, kept));
  const whole = ways.at(-1)!;
  const square = dot(whole, whole);
  if (!(square > 0)) return undefined;
  const shares = ways.map((way) => dot(way, whole) / square);
  const besides = ways.map((way, k) => way.map((part, i) => part - shares[k]! * whole[i]!));
  return shares.map((along, k) => ({
    along,
    aside: k === 0 ? 0 : Math.sqrt(distanceSquare(besides[k]!, besides[k - 1]!) / square),
  }));
};

/**
 * Ways of the kept places, less the shift, the growth and the rotation in the image that all of them share.
 */
const wayOf = (from: Float64Array, to: Float64Array, kept: Int32Array): Float64Array => {
  const places = centred(from, kept);
  const way = centred(to, kept).map((place, i) => place - places[i]!);
  const square = dot(places, places);
  if (!(square > 0)) return way;
  const across = places.map((_, i) => (i % 2 === 0 ? -places[i + 1]! : places[i - 1]!));
  const [growth, rotation] = [dot(way, places) / square, dot(way, across) / square];
  return way.map((part, i) => part - growth * places[i]! - rotation * across[i]!);
};

/** The kept places about their mean. */
const centred = (places: Float64Array, kept: Int32Array): Float64Array => {
  const moved = new Float64Array(2 * kept.length);
  for (const axis of [0, 1]) {
    const mean = kept.reduce((sum, i) => sum + places[2 * i + axis]!, 0) / kept.length;
    for (const [k, i] of kept.entries()) moved[2 * k + axis] = places[2 * i + axis]! - mean;
  }
  return moved;
};

const dot = (one: Float64Array, other: Float64Array): number =>
  one.reduce((sum, part, i) => sum + part * other[i]!, 0);

const distanceSquare = (one: Float64Array, other: Float64Array): number =>
  one.reduce((sum, part, i) => sum + (part - other[i]!) ** 2, 0);
