import type { Image } from "#machine/imaging/image";
import { type Colour, painted } from "./canvas.ts";
import {
  capsule,
  cosine,
  type Distance,
  ellipsoid,
  joined,
  lengthOf,
  sphere,
  type Vector,
  without,
} from "./solid.ts";

/**
 * How the artificial face is shown. Angles in radians, the light in the directions right, up, to the camera.
 */
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

/**
 * The proportions and colours of one face. One unit is about a tenth of a metre: the eyes are at 0.1, the
 * chin at -1.05, the crown at 1.3. Factors are 1 in `plainFace`.
 */
export type FaceShape = {
  readonly eyeX: number;
  readonly eyeY: number;
  /** Factor of the opening between the lids. */
  readonly eyeOpening: number;
  readonly headWidth: number;
  readonly jawWidth: number;
  readonly chinY: number;
  readonly chinSize: number;
  readonly cheekSize: number;
  readonly noseWidth: number;
  readonly noseLength: number;
  readonly noseDepth: number;
  readonly mouthY: number;
  readonly mouthWidth: number;
  readonly lipHeight: number;
  readonly browHeight: number;
  readonly browThickness: number;
  readonly browArch: number;
  /** Height of the hair's line over the forehead. */
  readonly hairline: number;
  /** How far the hair falls: -0.2 to the ears, -1.4 to the shoulders. */
  readonly hairEnd: number;
  /** 0 none, 1 full. */
  readonly beard: number;
  readonly skin: Colour;
  readonly hair: Colour;
  readonly cloth: Colour;
  readonly lip: Colour;
  readonly iris: Colour;
};

/** The face of the specification's examples. */
export const plainFace: FaceShape = {
  eyeX: 0.32,
  eyeY: 0.1,
  eyeOpening: 1,
  headWidth: 1,
  jawWidth: 1,
  chinY: -0.86,
  chinSize: 1,
  cheekSize: 1,
  noseWidth: 1,
  noseLength: 1,
  noseDepth: 1,
  mouthY: -0.545,
  mouthWidth: 1,
  lipHeight: 1,
  browHeight: 0.36,
  browThickness: 1,
  browArch: 0.06,
  hairline: 0,
  hairEnd: -0.2,
  beard: 0,
  skin: [214, 166, 138],
  hair: [58, 40, 30],
  cloth: [62, 84, 112],
  lip: [176, 98, 92],
  iris: [84, 60, 40],
};

const eyeRadius = 0.185;
const eyeWhite: Colour = [226, 222, 216];
const dark: Colour = [26, 20, 18];

const makeSkull = ({ headWidth, jawWidth, chinY, chinSize, cheekSize }: FaceShape): Distance => {
  const head = ellipsoid([0, 0.34, -0.12], [0.76 * headWidth, 0.94, 0.9]);
  const jaw = ellipsoid([0, -0.28, 0.1], [0.6 * jawWidth, 0.8, 0.66]);
  const chin = sphere([0, chinY, 0.5], 0.2 * chinSize);
  const cheek = sphere([0.37, -0.18, 0.46], 0.26 * cheekSize);
  const brow = capsule([0.1, 0.33, 0.68], [0.44, 0.32, 0.52], 0.12);
  return (x, y, z) => {
    const side = Math.abs(x);
    const middle = joined(joined(head(x, y, z), jaw(x, y, z), 0.3), chin(x, y, z), 0.25);
    return joined(joined(middle, cheek(side, y, z), 0.2), brow(side, y, z), 0.15);
  };
};

const makeNose = ({ noseWidth, noseLength, noseDepth }: FaceShape): Distance => {
  const [low, out] = [-0.25 * noseLength, 0.94 * noseDepth];
  const bridge = capsule([0, 0.2, 0.74], [0, low + 0.03, out], 0.085 * noseWidth);
  const tip = sphere([0, low, out], 0.12 * noseWidth);
  const wing = sphere([0.12 * noseWidth, low - 0.04, out - 0.11], 0.085 * noseWidth);
  return (x, y, z) => joined(joined(bridge(x, y, z), tip(x, y, z), 0.1), wing(Math.abs(x), y, z), 0.07);
};

const makeLips = ({ mouthY, mouthWidth, lipHeight }: FaceShape): Distance => {
  const upper = ellipsoid([0, mouthY, 0.68], [0.25 * mouthWidth, 0.06 * lipHeight, 0.1]);
  const lower = ellipsoid([0, mouthY - 0.095, 0.68], [0.2 * mouthWidth, 0.075 * lipHeight, 0.1]);
  return (x, y, z) => joined(upper(x, y, z), lower(x, y, z), 0.02);
};

const makeSkin = (shape: FaceShape): Distance => {
  const socket = sphere([shape.eyeX, shape.eyeY, 0.86], 0.19);
  const [skull, nose, lips] = [makeSkull(shape), makeNose(shape), makeLips(shape)];
  const ear = ellipsoid([0.77 * shape.headWidth, 0.02, -0.12], [0.09, 0.25, 0.15]);
  const neck = capsule([0, -0.7, -0.2], [0, -1.9, -0.25], 0.4);
  return (x, y, z) => {
    const side = Math.abs(x);
    const face = joined(without(skull(x, y, z), socket(side, y, z), 0.14), nose(x, y, z), 0.12);
    const whole = joined(joined(face, lips(x, y, z), 0.05), ear(side, y, z), 0.06);
    return joined(whole, neck(x, y, z), 0.1);
  };
};

const makeEye = ({ eyeX, eyeY }: FaceShape): Distance => {
  const ball = sphere([eyeX, eyeY, 0.53], eyeRadius);
  return (x, y, z) => ball(Math.abs(x), y, z);
};

const makeHair = ({ headWidth, hairline, hairEnd }: FaceShape): Distance => {
  const whole = ellipsoid([0, 0.44, -0.2], [0.85 * headWidth, 0.96, 0.95]);
  const opening = ellipsoid([0, -0.12 + hairline, 0.72], [0.66 * headWidth, 0.92, 0.8]);
  const falling = capsule([0.74 * headWidth, 0.2, -0.25], [0.7, hairEnd, -0.2], 0.2);
  return (x, y, z) => {
    const crown = Math.max(without(whole(x, y, z), opening(x, y, z), 0.06), -0.2 - y);
    return hairEnd >= -0.2 ? crown : joined(crown, falling(Math.abs(x), y, z), 0.1);
  };
};

/** The bodies of one face, made once for all its pixels. */
export type Head = {
  readonly shape: FaceShape;
  readonly skin: Distance;
  readonly eye: Distance;
  readonly hair: Distance;
  readonly cloth: Distance;
  /** The distance to the nearest of them. */
  readonly nearest: Distance;
};

export const makeHead = (shape: FaceShape): Head => {
  const [skin, eye, hair] = [makeSkin(shape), makeEye(shape), makeHair(shape)];
  const cloth = ellipsoid([0, -2.3, -0.3], [1.65, 0.8, 0.62]);
  const nearest: Distance = (x, y, z) => Math.min(skin(x, y, z), eye(x, y, z), hair(x, y, z), cloth(x, y, z));
  return { shape, skin, eye, hair, cloth, nearest };
};

const almondHalf = 0.165;

/** The colour of an eyeball between its lids, which are skin. */
const eyeColour = ([x, y]: Vector, { eyeX, eyeY, eyeOpening, skin, iris }: FaceShape): Colour => {
  const [across, up] = [Math.abs(x) - eyeX, y - eyeY];
  const arch = eyeOpening * (1 - (across / almondHalf) ** 2);
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

const skinColour = ([x, y, z]: Vector, shape: FaceShape): Colour => {
  const { skin, hair, lip, mouthY, mouthWidth, lipHeight, noseWidth, noseLength } = shape;
  const side = Math.abs(x);
  if (z < 0.2) return skin;
  const arch = shape.browHeight + shape.browArch * Math.sin(((side - 0.12) / 0.42) * Math.PI);
  const brow = patch(side, y, [shape.eyeX, arch, 0.22, 0.035 * shape.browThickness]);
  const mouth = patch(x, y, [0, mouthY - 0.05, 0.25 * mouthWidth, 0.085 * lipHeight]);
  const gap = patch(x, y, [0, mouthY - 0.047, 0.22 * mouthWidth, 0.01]);
  const nostril = patch(side, y, [0.075 * noseWidth, -0.25 * noseLength - 0.095, 0.035 * noseWidth, 0.018]);
  const blush = 0.25 * patch(side, y, [0.4, -0.22, 0.22, 0.18]);
  const chin = shape.beard * (1 - mouth) * beardAt(x, y, shape);
  const warm = mixed(mixed(mixed(skin, redder(skin), blush), hair, chin), lip, mouth);
  return mixed(mixed(mixed(warm, hair, 0.85 * brow), dark, 0.8 * gap), dark, 0.7 * nostril);
};

/** 1 on the upper lip, the chin and along the jaw, with soft edges. */
const beardAt = (x: number, y: number, { mouthY }: FaceShape): number => {
  const moustache = patch(x, y, [0, mouthY + 0.11, 0.24, 0.045]);
  const chin = patch(x, y, [0, mouthY - 0.36, 0.42, 0.22]);
  return 0.8 * Math.max(moustache, chin);
};

/** A cheek against the skin around it. */
const redder = ([red, green, blue]: Colour): Colour => [red - 8, green - 36, blue - 26];

/** The colour of the nearest body. */
const colourAt = (at: Vector, { shape, ...bodies }: Head): Colour => {
  const [x, y, z] = at;
  const [skin, eye] = [bodies.skin(x, y, z), bodies.eye(x, y, z)];
  const [hair, cloth] = [bodies.hair(x, y, z), bodies.cloth(x, y, z)];
  const least = Math.min(skin, eye, hair, cloth);
  if (skin === least) return skinColour(at, shape);
  if (eye === least) return eyeColour(at, shape);
  return hair === least ? shape.hair : shape.cloth;
};

const step = 0.004;

const normalAt = ([x, y, z]: Vector, { nearest }: Head): Vector => [
  nearest(x + step, y, z) - nearest(x - step, y, z),
  nearest(x, y + step, z) - nearest(x, y - step, z),
  nearest(x, y, z + step) - nearest(x, y, z - step),
];

/** Light from one side, from everywhere, and less of it in hollows. */
export const shaded = (at: Vector, light: Vector, head: Head): Colour => {
  const normal = normalAt(at, head);
  const outward = hollowReach / lengthOf(normal);
  const [x, y, z] = normal;
  const before = head.nearest(at[0] + x * outward, at[1] + y * outward, at[2] + z * outward);
  const open = Math.min(1, Math.max(0.35, before / hollowReach));
  const level = open * (0.42 + 0.68 * Math.max(0, cosine(normal, light)));
  return mixed([0, 0, 0], colourAt(at, head), Math.min(1.15, level));
};

const hollowReach = 0.12;
/** Units of the face from its middle to the camera of a portrait. */
export const cameraDistance = 7;

/** The point where a ray from the camera meets the head; undefined where it meets nothing. */
export const meet = (from: Vector, along: Vector, { nearest }: Head): Vector | undefined => {
  let far = cameraDistance - 2;
  for (let n = 0; n < 90 && far < cameraDistance + 2; n++) {
    const x = from[0] + along[0] * far;
    const y = from[1] + along[1] * far;
    const z = from[2] + along[2] * far;
    const gap = nearest(x, y, z);
    if (gap < 0.002) return [x, y, z];
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
 * Draws the head and shoulders of a person who does not exist: bodies of geometry, shaded. No image of a
 * person is used. The same view and shape give the same image.
 */
export const drawFace = (
  { width, height, yaw, shown, middle, light, background }: FaceView,
  shape: FaceShape = plainFace,
): Image => {
  const head = makeHead(shape);
  const camera = rotated([0, middle, cameraDistance], yaw);
  const unit = shown / height;
  return painted(width, height, (x, y) => {
    const across = (x + 0.5 - width / 2) * unit;
    const up = (height / 2 - y - 0.5) * unit;
    const size = lengthOf([across, up, cameraDistance]);
    const along = rotated([across / size, up / size, -cameraDistance / size], yaw);
    const at = meet(camera, along, head);
    return at === undefined ? background(x / width, y / height) : shaded(at, rotated(light, yaw), head);
  });
};
