import { seededRandom } from "#contract/statistics/random";
import type { Image } from "#machine/imaging/image";
import type { Colour } from "./canvas.ts";
import { drawFace, type FaceShape, type FaceView } from "./face.ts";

const skins: readonly Colour[] = [
  [236, 196, 172],
  [222, 176, 148],
  [206, 156, 124],
  [184, 132, 100],
  [156, 108, 80],
  [124, 84, 62],
];
const hairs: readonly Colour[] = [
  [30, 24, 22],
  [52, 36, 28],
  [84, 58, 38],
  [122, 86, 54],
  [150, 146, 142],
];
const irises: readonly Colour[] = [
  [62, 42, 28],
  [92, 66, 40],
  [96, 104, 72],
  [88, 112, 132],
];
const cloths: readonly Colour[] = [
  [62, 84, 112],
  [112, 60, 64],
  [70, 96, 74],
  [60, 60, 66],
  [164, 158, 146],
];

/** The face of a person by number: the same for ever. */
export const shapeOf = (seed: number, sex: "M" | "F"): FaceShape => {
  const random = seededRandom(seed);
  const between = (from: number, to: number): number => from + (to - from) * random();
  const one = (colours: readonly Colour[]): Colour => colours[Math.floor(random() * colours.length)]!;
  const isMan = sex === "M";
  const skin = one(skins);
  return {
    eyeX: between(0.24, 0.4),
    eyeY: between(-0.02, 0.22),
    eyeOpening: between(0.5, 1.5),
    headWidth: between(0.8, 1.2),
    jawWidth: between(0.7, 1.35),
    chinY: between(-1.12, -0.66),
    chinSize: between(0.5, isMan ? 1.9 : 1.3),
    cheekSize: between(0.6, 1.35),
    noseWidth: between(0.6, 1.8),
    noseLength: between(0.55, 1.55),
    noseDepth: between(0.95, 1.06),
    mouthY: between(-0.68, -0.48),
    mouthWidth: between(0.6, 1.6),
    lipHeight: between(0.35, 2),
    browHeight: between(0.28, 0.5),
    browThickness: between(0.35, isMan ? 2.4 : 1.3),
    browArch: between(-0.06, 0.16),
    hairline: between(-0.25, isMan ? 0.6 : 0.15),
    hairEnd: isMan ? -0.2 : between(-1.5, -0.5),
    beard: isMan && random() < 0.45 ? between(0.3, 1) : 0,
    skin,
    hair: one(hairs),
    cloth: one(cloths),
    lip: [Math.min(200, skin[0] - 22), skin[1] - 62, skin[2] - 44],
    iris: one(irises),
  };
};

/** As a camera of an office sees a person: frontal, even light, plain background. */
const portraitView: Omit<FaceView, "width" | "height"> = {
  yaw: 0,
  shown: 3.3,
  middle: -0.05,
  light: [0.2, 0.4, 1],
  background: (u, v) => {
    const shade = 120 + 14 * u - 10 * v;
    return [shade, shade + 34, shade + 96];
  },
};

/** As a telephone sees the person later: rotated, light from a window, a wall with a doorway. */
const selfieView = (seed: number): Omit<FaceView, "width" | "height"> => {
  const random = seededRandom(seed ^ 0x5e1f1e);
  const side = random() < 0.5 ? -1 : 1;
  return {
    yaw: side * (0.08 + 0.1 * random()),
    shown: 2.9 + 0.3 * random(),
    middle: -0.12 + 0.14 * random(),
    light: [-0.5 * side, 0.4, 0.9],
    background: (u, v) => {
      const shade = (u < 0.2 ? 120 : 168) + 24 * u - 18 * v;
      return [shade, shade - 3, shade - 8];
    },
  };
};

/** The portrait of a drawn person. */
export const drawPortrait = (seed: number, sex: "M" | "F", size: Size): Image =>
  drawFace({ ...portraitView, ...size }, shapeOf(seed, sex));

/** A later image of the same person, without the effects of a camera. */
export const drawSelfieOf = (seed: number, sex: "M" | "F", size: Size = selfieSize): Image =>
  drawFace({ ...selfieView(seed), ...size }, shapeOf(seed, sex));

type Size = { readonly width: number; readonly height: number };

/** Eyes about 100 pixels apart, above what the judges of liveness ask. */
const selfieSize: Size = { width: 360, height: 480 };
