import type { Image } from "#machine/imaging/image";
import { type Colour, painted } from "./canvas.ts";
import { cameraDistance, type FaceShape, makeHead, meet, shaded } from "./face.ts";
import { makeSmoothNoise } from "./smooth-noise.ts";
import { lengthOf, type Vector } from "./solid.ts";

/**
 * Colours and places of a drawn head, seen from the front. Images of the head from other sides, and prints of
 * it, are drawn from a scan in a fiftieth of the time that the bodies of geometry take.
 */
export type FaceScan = {
  /** The portrait: the head before a plain background. */
  readonly portrait: Image;
  /** Centimetres that one pixel of the portrait shows at the eyes. */
  readonly pixelCm: number;
  /**
   * Right, down and towards the camera in centimetres from the middle of the eyes, for each pixel; NaN beside
   * the head.
   */
  readonly places: Float32Array;
};

/**
 * Units of the face that the portrait shows from its upper to its lower border, and the height in its middle.
 */
const shown = 3;
const middle = -0.1;
/** One unit of a face shape is about a tenth of a metre. */
const unitCm = 10;

type ScanOptions = {
  /** Side of the square portrait in pixels. */
  readonly side: number;
  /** From where the light comes: right, up, to the camera. */
  readonly light: Vector;
  readonly background: Colour;
  /** Seed of the spots of the skin. */
  readonly seed: number;
};

/** Scans the drawn face of a person who does not exist. The same arguments give the same scan. */
export const scanFace = (shape: FaceShape, { side, light, background, seed }: ScanOptions): FaceScan => {
  const head = makeHead(shape);
  const noise = makeSmoothNoise(seed);
  const places = new Float32Array(side * side * 3).fill(Number.NaN);
  const unit = shown / side;
  const camera: Vector = [0, middle, cameraDistance];
  const portrait = painted(side, side, (x, y) => {
    const across = (x + 0.5 - side / 2) * unit;
    const up = (side / 2 - y - 0.5) * unit;
    const size = lengthOf([across, up, cameraDistance]);
    const at = meet(camera, [across / size, up / size, -cameraDistance / size], head);
    if (at === undefined) return background;
    const place = (y * side + x) * 3;
    places[place] = at[0] * unitCm;
    places[place + 1] = (shape.eyeY - at[1]) * unitCm;
    places[place + 2] = (at[2] - eyeDepth) * unitCm;
    const spots = 1 + spotsDepth * (noise(8 * at[0], 8 * at[1]) + noise(25 * at[0], 25 * at[1]) - 1);
    const [red, green, blue] = shaded(at, light, head);
    return [red * spots, green * spots, blue * spots];
  });
  return { portrait, pixelCm: unit * unitCm, places };
};

/** Freckles, pores and hair: without them a cheek has nothing that could be followed. */
const spotsDepth = 0.12;

/** The front of the eyeballs of a face shape. */
const eyeDepth = 0.7;
