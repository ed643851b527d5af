import { upperMedian } from "#contract/statistics/quantile";
import { ramp } from "#contract/statistics/ramp";
import type { GreyImage, Point } from "#machine/imaging/image";
import type { Cue } from "./cue.ts";

/**
 * Share of the points along the four sides of a frame with the grey of the rim beside them, 0…1. The inner or
 * the outer side of the edges counts, the more uniform one. `corners` run clockwise from the top left.
 * Undefined without a frame.
 */
export const measureRim = (grey: GreyImage, corners: readonly Point[]): number | undefined => {
  if (corners.length !== 4) return undefined;
  return Math.max(
    uniformShareBeside(grey, corners, bandShare),
    uniformShareBeside(grey, corners, -bandShare),
  );
};

/** Distance of the measured band from the edge, over the width of the frame: within a bezel or a margin. */
const bandShare = 0.018;
const placesASide = 40;
/** Grey levels within a rim of one colour: uneven light and noise. */
const greyTolerance = 14;

const uniformShareBeside = (grey: GreyImage, corners: readonly Point[], share: number): number => {
  const width = Math.hypot(corners[1]![0] - corners[0]![0], corners[1]![1] - corners[0]![1]);
  const levels = corners.flatMap((from, side) =>
    besideSide(grey, from, corners[(side + 1) % 4]!, share * width),
  );
  if (levels.length < 2 * placesASide) return 0;
  const middle = upperMedian(levels);
  return levels.filter((level) => Math.abs(level - middle) <= greyTolerance).length / (4 * placesASide);
};

/**
 * Grey levels of a line parallel to a side, `inwards` pixels to its inner side, without points outside the
 * image.
 */
const besideSide = (
  { width, height, data }: GreyImage,
  [ax, ay]: Point,
  [bx, by]: Point,
  inwards: number,
): readonly number[] => {
  const length = Math.hypot(bx - ax, by - ay);
  const [nx, ny] = [-(by - ay) / length, (bx - ax) / length];
  return Array.from({ length: placesASide }, (_, i) => {
    const along = 0.08 + (0.84 * i) / (placesASide - 1);
    const x = Math.round(ax + (bx - ax) * along + nx * inwards);
    const y = Math.round(ay + (by - ay) * along + ny * inwards);
    return x < 0 || y < 0 || x >= width || y >= height ? undefined : data[y * width + x]!;
  }).filter((level) => level !== undefined);
};

/** An image within the image: the frame ends in a rim of one colour, as devices and sheets do. */
export const rimAroundFrame: Cue = {
  name: "rim-around-frame",
  strength: "decisive",
  reason:
    "A band of one colour runs along the frame that was found: a bezel, or a sheet's margin. Where no frame was found the cue is missing.",
  weigh: ({ cues }) => {
    const surround = cues?.surround;
    if (surround?.rim === undefined || surround.closedFrame < 0.6) return undefined;
    return ramp(surround.rim, [
      [0.3, -0.8],
      [0.45, 0],
      [0.65, 1.2],
    ]);
  },
};
