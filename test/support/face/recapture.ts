import { seededRandom } from "#contract/statistics/random";
import type { Image } from "#machine/imaging/image";

/** An image shown again to a camera: the medium, and its placement in the scene. */
export type Recapture = {
  readonly medium: "phone" | "monitor" | "print";
  /** Repeats the scene exactly. */
  readonly seed: number;
  /** Width of the shown image in the frame, 0…1. */
  readonly widthShare: number;
  readonly tiltDegrees: number;
  /** Relative difference of the two vertical sides: a device that is not held square. */
  readonly keystone: number;
  /** Frame pixels per screen pixel; no pattern for print. */
  readonly gridPx: number;
};

const frame = { width: 1280, height: 960 } as const;

type Shape = {
  readonly border: number;
  readonly colour: readonly [number, number, number];
  readonly lift: number;
  readonly gain: number;
};

/**
 * Border widths in shares of the image width; lift and gain of the reproduced light (glass glows, ink is
 * grey).
 */
const shapes: Readonly<Record<Recapture["medium"], Shape>> = {
  phone: { border: 0.06, colour: [22, 22, 25], lift: 22, gain: 0.88 },
  monitor: { border: 0.04, colour: [38, 38, 40], lift: 28, gain: 0.86 },
  print: { border: 0.05, colour: [232, 230, 224], lift: 34, gain: 0.78 },
};

/**
 * Draws the scene: wall, table, a shelf as a distractor, the medium with its border, grid, blur and sensor
 * noise.
 */
export const drawRecapture = (image: Image, recapture: Recapture): Image => {
  const random = seededRandom(recapture.seed);
  const light = {
    wall: 150 + 60 * random(),
    table: 90 + 50 * random(),
    modelStore: 0.3 + 0.4 * random(),
    phase: random(),
  };
  const place = placement(image, recapture);
  const shape = shapes[recapture.medium];
  const plain = new Float32Array(frame.width * frame.height * 3);
  for (let y = 0; y < frame.height; y++) {
    for (let x = 0; x < frame.width; x++) {
      const [u, v] = place(x, y);
      const pixel = shown(image, recapture, shape, u, v) ?? scene(light, x, y);
      plain.set(pixel, (y * frame.width + x) * 3);
    }
  }
  return exposed(plain, random);
};

type Colour = readonly [number, number, number];

const scene = (
  light: { wall: number; table: number; modelStore: number; phase: number },
  x: number,
  y: number,
): Colour => {
  const shade = 0.8 + 0.2 * Math.sin(x / 310 + 6 * light.phase) * Math.cos(y / 270);
  const base = y > 0.82 * frame.height ? light.table : light.wall;
  const inStore = Math.abs(y / frame.height - light.modelStore) < 0.012 && x < 0.2 * frame.width;
  const value = inStore ? 60 : base * shade;
  return [value, value * 0.97, value * 0.9];
};

/** Frame place to image coordinates, 0…1 within the image. */
const placement = (image: Image, { widthShare, tiltDegrees, keystone }: Recapture) => {
  const width = widthShare * frame.width;
  const height = (width * image.height) / image.width;
  const rotation = (tiltDegrees * Math.PI) / 180;
  const [cos, sin] = [Math.cos(rotation), Math.sin(rotation)];
  return (x: number, y: number): readonly [number, number] => {
    const [dx, dy] = [x - frame.width / 2, y - frame.height / 2];
    const [across, down] = [(dx * cos + dy * sin) / width, (-dx * sin + dy * cos) / height];
    const depth = 1 + keystone * across;
    return [across / depth + 0.5, down / depth + 0.5];
  };
};

const shown = (
  image: Image,
  recapture: Recapture,
  shape: Shape,
  u: number,
  v: number,
): Colour | undefined => {
  const borderV = (shape.border * image.width) / image.height;
  if (u < -shape.border || u > 1 + shape.border || v < -borderV || v > 1 + borderV) {
    return undefined;
  }
  if (u < 0 || u >= 1 || v < 0 || v >= 1) {
    return shape.colour;
  }
  const [sx, sy] = [u * (image.width - 1), v * (image.height - 1)];
  const channel = (c: number): number => shape.lift + shape.gain * bilinear(image, sx, sy, c);
  if (recapture.medium === "print") {
    return [channel(0), channel(1), channel(2)];
  }
  const screenPx = recapture.widthShare * (frame.width / recapture.gridPx);
  const [gx, gy] = [u * screenPx, (v * screenPx * image.height) / image.width];
  const row = 0.9 + 0.1 * Math.cos(2 * Math.PI * gy);
  const lit = (c: number): number => channel(c) * row * (0.88 + 0.12 * Math.cos(2 * Math.PI * (gx - c / 3)));
  return [lit(0), lit(1), lit(2)];
};

const bilinear = ({ width, height, data }: Image, x: number, y: number, channel: number): number => {
  const [x0, y0] = [Math.floor(x), Math.floor(y)];
  const [fx, fy] = [x - x0, y - y0];
  const at = (column: number, row: number): number =>
    data[(Math.min(row, height - 1) * width + Math.min(column, width - 1)) * 3 + channel]!;
  const upper = at(x0, y0) * (1 - fx) + at(x0 + 1, y0) * fx;
  const lower = at(x0, y0 + 1) * (1 - fx) + at(x0 + 1, y0 + 1) * fx;
  return upper * (1 - fy) + lower * fy;
};

/** A lens that blurs a little and a sensor with noise. */
const exposed = (plain: Float32Array, random: () => number): Image => {
  const { width, height } = frame;
  const data = new Uint8Array(plain.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const noise = 4 * (random() + random() - 1);
      for (let c = 0; c < 3; c++) {
        const at = (dx: number, dy: number): number =>
          plain[
            (Math.min(height - 1, Math.max(0, y + dy)) * width + Math.min(width - 1, Math.max(0, x + dx))) *
              3 +
              c
          ]!;
        const blurred = (4 * at(0, 0) + at(1, 0) + at(-1, 0) + at(0, 1) + at(0, -1)) / 8;
        data[(y * width + x) * 3 + c] = Math.max(0, Math.min(255, Math.round(blurred + noise)));
      }
    }
  }
  return { width, height, data };
};
