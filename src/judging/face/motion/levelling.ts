import type { Point } from "#machine/imaging/image";

/** Centres of both eyes in pixels of their frame, the capture subject's right eye first. */
export type EyeCentres = readonly [right: Point, left: Point];

/** Similarity from a frame to its levelled crop: u = a x + b y + c, v = -b x + a y + d. */
export type Levelling = { readonly a: number; readonly b: number; readonly c: number; readonly d: number };

/**
 * Side of a levelled crop, and the distance and the middle of its eyes. The crop holds the face from forehead
 * to chin.
 */
export const cropSide = 224;
export const eyesApartPx = 72;
const eyesMiddle: Point = [112, 88];

/** Eyes nearer than this many pixels show no face that could be followed. */
const eyesApartPxMin = 8;

/**
 * The similarity that makes the eyes level at their place in the crop. Undefined for eyes that are too near
 * or no numbers.
 */
export const levelOf = ([right, left]: EyeCentres): Levelling | undefined => {
  const [dx, dy] = [left[0] - right[0], left[1] - right[1]];
  const apart = Math.hypot(dx, dy);
  if (!(apart >= eyesApartPxMin && Number.isFinite(apart))) return undefined;
  const factor = eyesApartPx / (apart * apart);
  const [a, b] = [dx * factor, dy * factor];
  const [x, y] = [(left[0] + right[0]) / 2, (left[1] + right[1]) / 2];
  return { a, b, c: eyesMiddle[0] - (a * x + b * y), d: eyesMiddle[1] - (a * y - b * x) };
};

/** Moves places, x and y in turns, from pixels of a frame to pixels of its crop. */
export const toCrop = ({ a, b, c, d }: Levelling, places: Float64Array): void => {
  for (let i = 0; i < places.length; i += 2) {
    const [x, y] = [places[i]!, places[i + 1]!];
    places[i] = a * x + b * y + c;
    places[i + 1] = a * y - b * x + d;
  }
};

/** Places in pixels of a crop as eye distances about the middle of the eyes. */
export const inEyeUnits = (places: Float64Array): Float64Array =>
  places.map((place, i) => (place - eyesMiddle[i % 2]!) / eyesApartPx);
