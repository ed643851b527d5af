import { seededRandom } from "#contract/statistics/random";
import type { Image, Point, Quad } from "#machine/imaging/image";
import { type Colour, fill, roundRectangle } from "./canvas.ts";
import { boxBlur, cameraFrames, expose } from "./photograph.ts";
import { drawScene } from "./scene.ts";
import { personAt } from "./selfie.ts";
import { laySurface, type Medium, type Surface, shownImage } from "./surface.ts";

/**
 * Presentation attacks on a selfie, drawn by code: images of an image. They show the traces of real attacks
 * (an edge, a grid, glare, flatness), but they are drawings: measurements on them say nothing about real
 * attacks.
 */
export const attackKinds = [
  "print-in-hand",
  "print-filling-frame",
  "telephone",
  "tablet",
  "screen-filling-frame",
  "cut-out",
] as const;

export type AttackKind = (typeof attackKinds)[number];

type Maker = { readonly selfie: Image; readonly random: () => number; readonly seed: number };

/** A selfie presented to the camera in one of the ways above; the same seed gives the same image. */
export const drawAttack = (kind: AttackKind, selfie: Image, seed: number): Image => {
  const random = seededRandom(seed);
  const [width, height] = cameraFrames[Math.floor(random() * cameraFrames.length)]!;
  const sharpScene = drawScene(width, height, seed + 21);
  const scene = random() < 0.5 ? sharpScene : boxBlur(sharpScene, 1 + Math.floor(3 * random()));
  makers[kind](scene, { selfie, random, seed });
  return expose(scene, {
    noise: 1 + 4 * random(),
    blurPx: random() < 0.4 ? 1 : 0,
    falloff: 0.65 + 0.35 * random(),
    seed: seed + 9,
  });
};

/** The selfie on a telephone in front of the camera: the demo's attack. */
export const showOnScreen = (selfie: Image, seed: number): Image => drawAttack("telephone", selfie, seed);

/** A screen emits light: black is lifted, and each cell lights one colour after the other. */
export const screenMedium = (random: () => number, across: number, ratio: number): Medium => ({
  lift: 8 + 24 * random(),
  gain: 0.75 + 0.25 * random(),
  chroma: 0.8 + 0.25 * random(),
  grid: { kind: "stripes", across, down: across / ratio, depth: 0.1 + 0.4 * random() },
  glare: {
    u: random(),
    v: random(),
    radius: 0.15 + 0.4 * random(),
    light: random() < 0.6 ? 90 * random() : 0,
  },
});

/** Ink on paper: grey blacks, a narrow gamut, dots that are hardly visible. */
export const printMedium = (random: () => number, across: number, ratio: number): Medium => ({
  lift: 22 + 26 * random(),
  gain: 0.6 + 0.25 * random(),
  chroma: 0.45 + 0.4 * random(),
  grid: { kind: "dots", across, down: across / ratio, depth: 0.03 + 0.17 * random() },
  glare: {
    u: random(),
    v: random(),
    radius: 0.3 + 0.5 * random(),
    light: random() < 0.3 ? 50 * random() : 0,
  },
});

/** Cells across an object that is `widthPx` wide in the frame, when a cell takes one to four pixels. */
export const cellsOf = (random: () => number, widthPx: number, low: number, high: number): number =>
  widthPx / (low + (high - low) * random());

type Held = {
  readonly share: number;
  readonly ratio: number;
  readonly rim: readonly [side: number, end: number];
};

/** A quadrilateral of that width, slightly rotated and in perspective, near the centre of the frame. */
const heldQuad = ({ width, height }: Image, random: () => number, share: number, ratio: number): Quad => {
  const wide = Math.min(share * width, share * height * ratio * 1.15);
  const high = wide / ratio;
  const angle = (random() - 0.5) * 0.34;
  const [centreX, centreY] = [width * (0.46 + 0.08 * random()), height * (0.46 + 0.08 * random())];
  const corner = (sideX: number, sideY: number): Point => {
    const nearer = 1 + 0.1 * (random() - 0.5);
    const [x, y] = [(sideX * wide * nearer) / 2, (sideY * high * nearer) / 2];
    return [
      centreX + x * Math.cos(angle) - y * Math.sin(angle),
      centreY + x * Math.sin(angle) + y * Math.cos(angle),
    ];
  };
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
};

/** An image within a rim of one colour. */
export const framed = (image: Surface, [side, end]: Held["rim"], colour: Colour): Surface => {
  return (u, v, rgb) => {
    if (u < side || u > 1 - side || v < end || v > 1 - end) {
      rgb.set(colour);
      return true;
    }
    return image((u - side) / (1 - 2 * side), (v - end) / (1 - 2 * end), rgb);
  };
};

const rimColour = (random: () => number): Colour => {
  const grey = random() < 0.8 ? 8 + 30 * random() : 200 + 50 * random();
  return [grey, grey, grey * 1.04];
};

const holdDevice = (scene: Image, { selfie, random }: Maker, { share, ratio, rim }: Held): void => {
  const quad = heldQuad(scene, random, share, ratio);
  const wide = (quad[1][0] - quad[0][0]) * (1 - 2 * rim[0]);
  const inner = (ratio * (1 - 2 * rim[0])) / (1 - 2 * rim[1]);
  const medium = screenMedium(random, cellsOf(random, wide, 0.7, 3), inner);
  laySurface(scene, framed(shownImage(selfie, medium, inner), rim, rimColour(random)), quad);
  if (random() < 0.7) layFingers(scene, random, quad);
};

/** Draws a hand's fingers over the lower sides: they break the rim. */
const layFingers = (scene: Image, random: () => number, quad: Quad): void => {
  const skin: Colour = [150 + 70 * random(), 105 + 50 * random(), 80 + 45 * random()];
  const size = 0.07 * scene.width;
  for (const side of [0, 1]) {
    const [top, bottom] = side === 0 ? [quad[0], quad[3]] : [quad[1], quad[2]];
    for (let finger = 0; finger < 4; finger++) {
      const along = 0.55 + 0.11 * finger + 0.02 * random();
      const [x, y] = [top[0] + (bottom[0] - top[0]) * along, top[1] + (bottom[1] - top[1]) * along];
      const left = side === 0 ? x - 1.4 * size : x - 0.5 * size;
      fill(scene, [roundRectangle(left, y, 1.9 * size, 0.7 * size, 0.34 * size)], skin);
    }
  }
};

/** A cut-out: the outline of the person in ink, with a rim of paper. */
const cutOut = (image: Surface): Surface => {
  return (u, v, rgb) => {
    const share = personAt(u, v);
    if (share < 0.1) return false;
    if (share < 0.45) {
      rgb.fill(225);
      return true;
    }
    return image(u, v, rgb);
  };
};

/** Corners of an object that reaches beyond the frame on all sides, slightly rotated as in every hand. */
const whole = ({ width, height }: Image, random: () => number): Quad => {
  const angle = (random() < 0.5 ? -1 : 1) * (0.008 + 0.06 * random());
  const [cos, sin] = [Math.cos(angle), Math.sin(angle)];
  const corner = (sideX: number, sideY: number): Point => {
    const far = 0.56 + 0.03 * random();
    const [x, y] = [sideX * width * far, sideY * height * far];
    return [width / 2 + x * cos - y * sin, height / 2 + x * sin + y * cos];
  };
  return [corner(-1, -1), corner(1, -1), corner(1, 1), corner(-1, 1)];
};

const makers: Readonly<Record<AttackKind, (scene: Image, maker: Maker) => void>> = {
  "print-in-hand": (scene, { selfie, random }) => {
    const ratio = 0.68 + 0.15 * random();
    const quad = heldQuad(scene, random, 0.6 + 0.35 * random(), ratio);
    const margin = random() < 0.5 ? 0 : 0.02 + 0.06 * random();
    const medium = printMedium(random, cellsOf(random, quad[1][0] - quad[0][0], 1, 4), ratio);
    const paper = 205 + 40 * random();
    const sheet = framed(
      shownImage(selfie, medium, ratio),
      [margin, margin * ratio],
      [paper, paper, paper * 0.97],
    );
    laySurface(scene, sheet, quad);
    if (random() < 0.7) layFingers(scene, random, quad);
  },
  "print-filling-frame": (scene, { selfie, random }) => {
    const ratio = scene.width / scene.height;
    const medium = printMedium(random, cellsOf(random, scene.width, 1, 4), ratio);
    laySurface(scene, shownImage(selfie, medium, ratio), whole(scene, random));
  },
  telephone: (scene, maker) => {
    const { random } = maker;
    const rim = [0.02 + 0.04 * random(), 0.02 + 0.08 * random()] as const;
    holdDevice(scene, maker, { share: 0.6 + 0.38 * random(), ratio: 0.46 + 0.1 * random(), rim });
  },
  tablet: (scene, maker) => {
    const { random } = maker;
    const ratio = random() < 0.6 ? 0.72 : 1.35;
    holdDevice(scene, maker, {
      share: 0.65 + 0.4 * random(),
      ratio,
      rim: [0.03 + 0.04 * random(), 0.04 + 0.04 * random()],
    });
  },
  "screen-filling-frame": (scene, { selfie, random }) => {
    const ratio = scene.width / scene.height;
    const medium = screenMedium(random, cellsOf(random, scene.width, 0.7, 4), ratio);
    laySurface(scene, shownImage(selfie, medium, ratio), whole(scene, random));
  },
  "cut-out": (scene, { selfie, random }) => {
    const size = 0.6 + 0.35 * random();
    const quad = heldQuad(scene, random, size, 1);
    const medium = printMedium(random, cellsOf(random, quad[1][0] - quad[0][0], 1, 4), 1);
    laySurface(scene, cutOut(shownImage(selfie, medium, 1)), quad);
  },
};
