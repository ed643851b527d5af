import type { Image, Point, Quad } from "#machine/imaging/image";
import { distance } from "../locate/geometry.ts";

/**
 * A second outline around the card. Physical reason: an uncut copy is part of a sheet, and a card on a screen
 * has the rim of the screen around it. Both have a band of one colour around the card, which ends in an edge
 * parallel to the card edge.
 */
export type CardRim = {
  /** Sides of the card with such a band, 0…4. */
  readonly sides: number;
  /** Mean luma of the bands, 0…255: white paper, dark glass. 0 without a band. */
  readonly brightness: number;
  /** Mean width of the bands as a share of the longer card side. 0 without a band. */
  readonly width: number;
};

/** Sample points along a side, without a tenth at each end for round corners. */
const placesASide = 32;
/** Range and step of the search, as shares of the longer card side. */
const reachShare = 0.25;
const stepShare = 0.004;
/** Without the border of the card, which the lens blurs. */
const skippedShare = 0.012;
/** Largest steps of luma: within the band, and at its outer edge. */
const differenceMax = 10;
const edgeMin = 18;
/** Minimum share of sample points that agree. */
const agreeMin = 0.7;

/** Measures a card with its corners in order. A side whose surroundings lie outside the image has no band. */
export const measureCardRim = (image: Image, quad: Quad): CardRim => {
  const longSide = Math.max(...quad.map((corner, i) => distance(corner, quad[(i + 1) % 4]!)));
  const middle: Point = [
    quad.reduce((sum, [x]) => sum + x, 0) / 4,
    quad.reduce((sum, [, y]) => sum + y, 0) / 4,
  ];
  const bands = quad.flatMap(
    (from, i) => bandBeside(image, from, quad[(i + 1) % 4]!, middle, longSide) ?? [],
  );
  return {
    sides: bands.length,
    brightness: mean(bands.map(({ brightness }) => brightness)),
    width: mean(bands.map(({ width }) => width)),
  };
};

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

type Band = { readonly brightness: number; readonly width: number };

const bandBeside = (
  image: Image,
  from: Point,
  to: Point,
  middle: Point,
  longSide: number,
): Band | undefined => {
  const length = distance(from, to);
  const [ax, ay] = [(to[0] - from[0]) / length, (to[1] - from[1]) / length];
  const inwards = (middle[0] - from[0]) * -ay + (middle[1] - from[1]) * ax > 0 ? 1 : -1;
  const [nx, ny] = [ay * inwards, -ax * inwards];
  const profiles = Array.from({ length: placesASide }, (_, i) => {
    const along = length * (0.1 + (0.8 * i) / (placesASide - 1));
    return profileOf(image, [from[0] + ax * along, from[1] + ay * along], [nx, ny], longSide);
  });
  return bandOf(profiles);
};

/** Luma outwards from a point of the side to the end of the image. */
const profileOf = (image: Image, [x, y]: Point, [nx, ny]: Point, longSide: number): readonly number[] => {
  const profile: number[] = [];
  for (let share = skippedShare; share <= reachShare; share += stepShare) {
    const px = Math.round(x + nx * share * longSide);
    const py = Math.round(y + ny * share * longSide);
    if (px < 0 || py < 0 || px >= image.width || py >= image.height) break;
    const at = (py * image.width + px) * 3;
    profile.push((77 * image.data[at]! + 150 * image.data[at + 1]! + 29 * image.data[at + 2]!) / 256);
  }
  return profile;
};

/** The nearest distance at which most profiles, uniform before it, have a step in the same direction. */
const bandOf = (profiles: readonly (readonly number[])[]): Band | undefined => {
  const steps = Math.max(...profiles.map((profile) => profile.length));
  const ends = profiles.map(endOfBand);
  for (let step = bandStepsMin; step < steps; step++) {
    const here = profiles.filter((_, i) => Math.abs(ends[i]! - step) <= 1);
    if (here.length < agreeMin * profiles.length) continue;
    const rising = here.filter((profile) => profile[step + 1]! > profile[0]!).length;
    if (Math.max(rising, here.length - rising) < 0.9 * here.length) continue;
    const brightness = here.reduce((sum, profile) => sum + profile[0]!, 0) / here.length;
    return { brightness, width: skippedShare + step * stepShare };
  }
  return undefined;
};

const bandStepsMin = 3;

/** First step where a profile leaves its start level by an edge, not by a slope; -1 without such a step. */
const endOfBand = (profile: readonly number[]): number => {
  const level = profile[0];
  if (level === undefined) return -1;
  const end = profile.findIndex((value) => Math.abs(value - level) > differenceMax);
  const beyond = profile[end + 2] ?? profile[end];
  return end > 0 && beyond !== undefined && Math.abs(beyond - level) >= edgeMin ? end : -1;
};
