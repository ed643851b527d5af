import { upperMedian } from "#contract/statistics/quantile";
import type { GreyImage, Point } from "#machine/imaging/image";
import { type FlatFit, fitFlat } from "./homography.ts";
import { type EyeCentres, eyesApartPx, inEyeUnits, type Levelling, levelOf, toCrop } from "./levelling.ts";
import { makeSearchSpace } from "./lucas-kanade.ts";
import { measurePath, type PathPlace } from "./path.ts";
import { fillPyramid, makeCropSpace, makePyramid } from "./pyramid.ts";
import { fitRelief, type Pair, reliefPointsMin } from "./relief.ts";
import { stillHeights, stillLandmarks } from "./still-landmarks.ts";
import { track } from "./track.ts";

/** The x and y of a landmark in pixels of its frame; a depth may follow. */
export type Landmark = readonly [x: number, y: number, ...rest: number[]];

/** One frame of a capture. All of its lengths are pixels of `image`. */
export type FollowedFrame = {
  readonly image: GreyImage;
  readonly eyes: EyeCentres;
  /** The landmark network's 468 points of this frame. They name where a search begins, and nothing else. */
  readonly landmarks?: readonly Landmark[];
};

/** The frame whose landmarks are followed. */
export type FirstFrame = FollowedFrame & { readonly landmarks: readonly Landmark[] };

/** The step between two neighbouring frames. */
export type FollowedPair = {
  /**
   * How many of the 319 landmarks were followed from the first frame to the second, and the rotation that
   * they show. The rotation is absent for fewer than 60.
   */
  readonly points: number;
  readonly b?: Pair;
  /**
   * Median way of the followed landmarks between the levelled crops, in eye distances: absent for fewer
   * than 60.
   */
  readonly landmarkStep?: number;
  /** Way of the middle of the eyes, and change of the eye distance, in eye distances of the earlier frame. */
  readonly eyeStep: number;
  readonly iedStep: number;
};

/** What was followed through a sequence of frames. */
export type Followed = {
  /**
   * Rotation of a head between the first frame and the last, by the landmarks followed through all frames
   * between: x is the growth of the sine of its angle towards the right side of the image, y downwards. About
   * 0 for a sheet, however it is tilted or bent. Absent for fewer than 60 landmarks.
   */
  readonly b?: Pair;
  /** How well the same landmarks moved as on a flat sheet between the first frame and the last. */
  readonly flat?: FlatFit;
  readonly pointsFirstToLast: number;
  /** The fewest landmarks between neighbours. */
  readonly pointsBetweenMin: number;
  /** The greatest way of the eyes, and change of their distance, between neighbours, in eye distances. */
  readonly eyeStepMax: number;
  readonly iedStepMax: number;
  /** One for each step; the sum of their `b` is a second measurement of the whole rotation. */
  readonly pairs: readonly FollowedPair[];
  /** Where each frame lies on the way from the first to the last; absent for fewer than 60 landmarks. */
  readonly path?: readonly PathPlace[];
};

/**
 * Follows the landmarks of the first frame through the others, from neighbour to neighbour, in the images
 * themselves: the landmark network draws a tilted or bent image of a face back to a usual face. Undefined for
 * one frame, or for eyes nearer than 8 pixels. Frames 100 to 150 ms apart lose the fewest landmarks. Takes
 * about 50 ms of one core for each step.
 */
export type Follow = (first: FirstFrame, others: readonly FollowedFrame[]) => Followed | undefined;

/** A follower with its own working space (3 MB), for one call at a time. */
export const makeFollow = (): Follow => {
  const cropSpace = makeCropSpace();
  const searchSpace = makeSearchSpace();
  const pyramids = [makePyramid(), makePyramid()] as const;
  return (first, others) => {
    const frames = [first, ...others];
    const levels = frames.map(({ eyes }) => levelOf(eyes)).filter((level) => level !== undefined);
    if (others.length === 0 || levels.length < frames.length) return undefined;
    const start = stillPlaces(first.landmarks, levels[0]!);
    const isFollowed = new Uint8Array(stillLandmarks.length).fill(1);
    fillPyramid(first.image, levels[0]!, pyramids[0], cropSpace);
    let places = start;
    const passed = [start];
    const pairs: FollowedPair[] = [];
    for (let k = 1; k < frames.length; k++) {
      const [earlier, later] = [pyramids[(k + 1) % 2]!, pyramids[k % 2]!];
      fillPyramid(frames[k]!.image, levels[k]!, later, cropSpace);
      const found = beginSearch(places, [frames[k - 1]!, frames[k]!], [levels[k - 1]!, levels[k]!]);
      const isFound = track(earlier, later, places, found, searchSpace);
      pairs.push({
        ...measureStep(places, found, isFound),
        ...landmarkStepOf(places, found, isFound),
        ...eyeSteps(frames[k - 1]!.eyes, frames[k]!.eyes),
      });
      for (let i = 0; i < isFollowed.length; i++) isFollowed[i]! &= isFound[i]!;
      places = found;
      passed.push(found);
    }
    const { points, b } = measureStep(start, places, isFollowed);
    const path = measurePath(passed, isFollowed);
    const flat = b && fitFlat(pointsOf(start, isFollowed), pointsOf(places, isFollowed));
    return {
      ...(b && { b }),
      ...(flat && { flat }),
      ...(path && { path }),
      pointsFirstToLast: points,
      pointsBetweenMin: Math.min(...pairs.map((pair) => pair.points)),
      eyeStepMax: Math.max(...pairs.map(({ eyeStep }) => eyeStep)),
      iedStepMax: Math.max(...pairs.map(({ iedStep }) => iedStep)),
      pairs,
    };
  };
};

/** The places of the still landmarks in a crop, x and y in turns. */
const stillPlaces = (landmarks: readonly Landmark[], level: Levelling): Float64Array => {
  const places = new Float64Array(2 * stillLandmarks.length);
  for (const [i, landmark] of stillLandmarks.entries()) {
    const [x, y] = landmarks[landmark]!;
    places[2 * i] = x;
    places[2 * i + 1] = y;
  }
  toCrop(level, places);
  return places;
};

/**
 * Where the search of a step begins: at the same place of the level crop, moved as the network's landmarks
 * moved.
 */
const beginSearch = (
  places: Float64Array,
  [earlier, later]: readonly [FollowedFrame, FollowedFrame],
  [one, two]: readonly [Levelling, Levelling],
): Float64Array => {
  if (earlier.landmarks === undefined || later.landmarks === undefined) return places.slice();
  const [from, to] = [stillPlaces(earlier.landmarks, one), stillPlaces(later.landmarks, two)];
  return places.map((place, i) => place + to[i]! - from[i]!);
};

const measureStep = (
  from: Float64Array,
  to: Float64Array,
  isKept: Uint8Array,
): Pick<FollowedPair, "points" | "b"> => {
  const relief = fitRelief({
    from: inEyeUnits(from),
    to: inEyeUnits(to),
    heights: stillHeights,
    isKept,
  });
  return { points: isKept.reduce((sum, one) => sum + one, 0), ...(relief && { b: relief.b }) };
};

/** How far the median of the kept places moved in the crop. */
const landmarkStepOf = (
  from: Float64Array,
  to: Float64Array,
  isKept: Uint8Array,
): Pick<FollowedPair, "landmarkStep"> => {
  const ways = [...isKept].flatMap((kept, i) =>
    kept === 1 ? [Math.hypot(to[2 * i]! - from[2 * i]!, to[2 * i + 1]! - from[2 * i + 1]!)] : [],
  );
  return ways.length < reliefPointsMin ? {} : { landmarkStep: upperMedian(ways) / eyesApartPx };
};

const pointsOf = (places: Float64Array, isKept: Uint8Array): readonly Point[] =>
  [...isKept].flatMap((kept, i): Point[] => (kept === 1 ? [[places[2 * i]!, places[2 * i + 1]!]] : []));

const eyeSteps = (earlier: EyeCentres, later: EyeCentres): Pick<FollowedPair, "eyeStep" | "iedStep"> => {
  const [one, two] = [eyesOf(earlier), eyesOf(later)];
  return {
    eyeStep: Math.hypot(two.x - one.x, two.y - one.y) / one.apart,
    iedStep: Math.abs(two.apart / one.apart - 1),
  };
};

const eyesOf = ([right, left]: EyeCentres) => ({
  x: (right[0] + left[0]) / 2,
  y: (right[1] + left[1]) / 2,
  apart: Math.hypot(left[0] - right[0], left[1] - right[1]),
});
