import type { Image } from "#imaging/image";
import { type Colour, painted } from "./canvas.ts";
import { capsule, cosine, ellipsoid, joined, lengthOf, sphere, type Vector, without } from "./solid.ts";

/** How the artificial face is shown. Angles in radians, the light in the directions right, up, to the camera. */
export type FaceView = {
  readonly width: number;
  readonly height: number;
  readonly yaw: number;
  /** Units of the face that the height shows, and the height in the middle of the image. */
  readonly shown: number;
  readonly middle: number;
  readonly light: Vector;
  readonly background: (u: number, v: number) => Colour;
};

/** One unit is about a tenth of a metre. The eyes are at 0.1, the chin at -1.05, the crown at 1.3. */
const eyeX = 0.32;
const eyeY = 0.1;
const eyeRadius = 0.185;
const skin: Colour = [214, 166, 138];
const hair: Colour = [58, 40, 30];
const cloth: Colour = [62, 84, 112];
const lip: Colour = [176, 98, 92];
const eyeWhite: Colour = [226, 222, 216];
const iris: Colour = [84, 60, 40];
const dark: Colour = [26, 20, 18];

const mirrored = ([x, y, z]: Vector): Vector => [Math.abs(x), y, z];

const skull = (at: Vector): number => {
  const head = ellipsoid(at, [0, 0.34, -0.12], [0.76, 0.94, 0.9]);
  const jaw = ellipsoid(at, [0, -0.28, 0.1], [0.6, 0.8, 0.66]);
  const chin = sphere(at, [0, -0.86, 0.5], 0.2);
  const cheek = sphere(mirrored(at), [0.37, -0.18, 0.46], 0.26);
  const brow = capsule(mirrored(at), [0.1, 0.33, 0.68], [0.44, 0.32, 0.52], 0.12);
  return joined(joined(joined(joined(head, jaw, 0.3), chin, 0.25), cheek, 0.2), brow, 0.15);
};

const nose = (at: Vector): number => {
  const bridge = capsule(at, [0, 0.2, 0.74], [0, -0.22, 0.94], 0.085);
  const tip = sphere(at, [0, -0.25, 0.94], 0.12);
  const wing = sphere(mirrored(at), [0.12, -0.29, 0.83], 0.085);
  return joined(joined(bridge, tip, 0.1), wing, 0.07);
};

const lips = (at: Vector): number =>
  joined(
    ellipsoid(at, [0, -0.545, 0.68], [0.25, 0.06, 0.1]),
    ellipsoid(at, [0, -0.64, 0.68], [0.2, 0.075, 0.1]),
    0.02,
  );

const skinAt = (at: Vector): number => {
  const socket = sphere(mirrored(at), [eyeX, eyeY, 0.86], 0.19);
  const face = joined(without(skull(at), socket, 0.14), nose(at), 0.12);
  const ear = ellipsoid(mirrored(at), [0.77, 0.02, -0.12], [0.09, 0.25, 0.15]);
  const neck = capsule(at, [0, -0.7, -0.2], [0, -1.9, -0.25], 0.4);
  return joined(joined(joined(face, lips(at), 0.05), ear, 0.06), neck, 0.1);
};

const eyeAt = (at: Vector): number => sphere(mirrored(at), [eyeX, eyeY, 0.53], eyeRadius);

const hairAt = (at: Vector): number => {
  const whole = ellipsoid(at, [0, 0.44, -0.2], [0.85, 0.96, 0.95]);
  const opening = ellipsoid(at, [0, -0.12, 0.72], [0.66, 0.92, 0.8]);
  return Math.max(without(whole, opening, 0.06), -0.2 - at[1]);
};

const clothAt = (at: Vector): number => ellipsoid(at, [0, -2.3, -0.3], [1.65, 0.8, 0.62]);

const nearest = (at: Vector): number => Math.min(skinAt(at), eyeAt(at), hairAt(at), clothAt(at));

const almondHalf = 0.165;

/** The colour of an eyeball between its lids, which are skin. */
const eyeColour = ([x, y]: Vector): Colour => {
  const [across, up] = [Math.abs(x) - eyeX, y - eyeY];
  const arch = 1 - (across / almondHalf) ** 2;
  if (up > 0.078 * arch || up < -0.06 * arch) {
    return up > 0 && up < 0.078 * arch + 0.018 ? dark : skin;
  }
  const away = Math.hypot(across, up);
  if (Math.hypot(across - 0.02, up - 0.025) < 0.016) return [250, 250, 250];
  return away < 0.034 ? dark : away < 0.082 ? iris : eyeWhite;
};

const mixed = (a: Colour, b: Colour, share: number): Colour => [
  a[0] + (b[0] - a[0]) * share,
  a[1] + (b[1] - a[1]) * share,
  a[2] + (b[2] - a[2]) * share,
];

/** 1 inside of an ellipse, 0 outside of it, with a soft edge. */
const patch = (x: number, y: number, [centreX, centreY, radiusX, radiusY]: readonly number[]): number => {
  const away = Math.hypot((x - centreX!) / radiusX!, (y - centreY!) / radiusY!);
  return Math.min(1, Math.max(0, (1.25 - away) / 0.5));
};

const skinColour = ([x, y, z]: Vector): Colour => {
  const side = Math.abs(x);
  if (z < 0.2) return skin;
  const arch = 0.36 + 0.06 * Math.sin(((side - 0.12) / 0.42) * Math.PI);
  const brow = patch(side, y, [0.32, arch, 0.22, 0.035]);
  const mouth = patch(x, y, [0, -0.595, 0.25, 0.085]);
  const gap = patch(x, y, [0, -0.592, 0.22, 0.01]);
  const nostril = patch(side, y, [0.075, -0.345, 0.035, 0.018]);
  const blush = 0.25 * patch(side, y, [0.4, -0.22, 0.22, 0.18]);
  const warm = mixed(mixed(skin, [206, 130, 112], blush), lip, mouth);
  return mixed(mixed(mixed(warm, hair, 0.85 * brow), dark, 0.8 * gap), dark, 0.7 * nostril);
};

const colourAt = (at: Vector): Colour => {
  const parts: readonly (readonly [number, Colour])[] = [
    [skinAt(at), skinColour(at)],
    [eyeAt(at), eyeColour(at)],
    [hairAt(at), hair],
    [clothAt(at), cloth],
  ];
  return parts.reduce((best, part) => (part[0] < best[0] ? part : best))[1];
};

const step = 0.004;

const normalAt = (at: Vector): Vector => {
  const [x, y, z] = at;
  return [
    nearest([x + step, y, z]) - nearest([x - step, y, z]),
    nearest([x, y + step, z]) - nearest([x, y - step, z]),
    nearest([x, y, z + step]) - nearest([x, y, z - step]),
  ];
};

/** Light from one side, from everywhere, and less of it in hollows. */
const shaded = (at: Vector, light: Vector): Colour => {
  const normal = normalAt(at);
  const outward = hollowReach / lengthOf(normal);
  const [x, y, z] = normal;
  const before = nearest([at[0] + x * outward, at[1] + y * outward, at[2] + z * outward]);
  const open = Math.min(1, Math.max(0.35, before / hollowReach));
  const level = open * (0.42 + 0.68 * Math.max(0, cosine(normal, light)));
  return mixed([0, 0, 0], colourAt(at), Math.min(1.15, level));
};

const hollowReach = 0.12;
const cameraDistance = 7;

/** The point where a ray from the camera meets the head; undefined where it meets nothing. */
const meet = (from: Vector, along: Vector): Vector | undefined => {
  let far = cameraDistance - 2;
  for (let n = 0; n < 90 && far < cameraDistance + 2; n++) {
    const at: Vector = [from[0] + along[0] * far, from[1] + along[1] * far, from[2] + along[2] * far];
    const gap = nearest(at);
    if (gap < 0.002) return at;
    far += gap * 0.8;
  }
  return undefined;
};

/** The vector rotated around the upright axis. */
const rotated = ([x, y, z]: Vector, angle: number): Vector => [
  x * Math.cos(angle) + z * Math.sin(angle),
  y,
  z * Math.cos(angle) - x * Math.sin(angle),
];

/**
 * Draws the head and shoulders of a person who does not exist: bodies of geometry, shaded. No image of a person is used.
 * The same view gives the same image.
 */
export const drawFace = ({ width, height, yaw, shown, middle, light, background }: FaceView): Image => {
  const camera = rotated([0, middle, cameraDistance], yaw);
  const unit = shown / height;
  return painted(width, height, (x, y) => {
    const across = (x + 0.5 - width / 2) * unit;
    const up = (height / 2 - y - 0.5) * unit;
    const size = lengthOf([across, up, cameraDistance]);
    const along = rotated([across / size, up / size, -cameraDistance / size], yaw);
    const at = meet(camera, along);
    return at === undefined ? background(x / width, y / height) : shaded(at, rotated(light, yaw));
  });
};
