import type { Image, Imaging } from "#machine/imaging/image";
import { drawAttack } from "./attack.ts";
import { type Colour, fill, painted, type Ring, rectangle } from "./canvas.ts";
import { drawFace, type FaceView } from "./face.ts";
import { expose } from "./photograph.ts";

const wall = (u: number, v: number): Colour => {
  const shade = 168 + 26 * u - 20 * v;
  return [shade, shade + 4, shade + 2];
};
const doorway = (u: number, v: number): Colour => (u < 0.2 ? [112, 104, 96] : wall(1 - u, v));

/** As large as a face needs that every reader finds; the time to draw grows with the pixels. */
const frame = { width: 320, height: 400 } as const;

const portraitView: FaceView = {
  ...frame,
  yaw: 0,
  shown: 3.3,
  middle: -0.05,
  light: [0.3, 0.5, 1],
  background: wall,
};
const selfieView: FaceView = {
  ...frame,
  yaw: 0.2,
  shown: 3,
  middle: -0.12,
  light: [-0.5, 0.4, 0.9],
  background: doorway,
};
const laterView: FaceView = { ...selfieView, yaw: -0.16, shown: 3.1, middle: 0, light: [0.1, 0.9, 0.8] };

const taken = (view: FaceView, seed: number): Image =>
  expose(drawFace(view), { noise: 1, blurPx: 0, falloff: 0.92, seed });

const selfie = (change: Partial<FaceView> = {}): Image => taken({ ...selfieView, ...change }, 2);

/** The image with these outlines in one colour. */
const painting = (image: Image, colour: Colour, rings: readonly Ring[]): Image => {
  const copy = { ...image, data: image.data.slice() };
  for (const ring of rings) fill(copy, [ring], colour);
  return copy;
};

const darkened = ({ width, height, data }: Image): Image => ({
  width,
  height,
  data: data.map((value) => value / 9),
});

const beside = (left: Image, right: Image): Image =>
  painted(left.width + right.width, left.height, (x, y) => {
    const { width, data } = x < left.width ? left : right;
    const at = (y * width + (x % left.width)) * 3;
    return [data[at]!, data[at + 1]!, data[at + 2]!];
  });

const ellipse = (x: number, y: number, across: number, down: number): Ring =>
  Array.from({ length: 40 }, (_, i) => {
    const angle = (i * Math.PI) / 20;
    return [x + across * Math.cos(angle), y + down * Math.sin(angle)] as const;
  });

/** Lids over both eyes, and the dark line between them. */
const blinking = (image: Image): Image => {
  const eyes = [frame.width * 0.365, frame.width * 0.64].map((x) => [x, frame.height * 0.435] as const);
  const lids = eyes.map(([x, y]) => ellipse(x, y, 25, 14));
  const lines = eyes.map(([x, y]) => rectangle(x - 21, y + 7, 42, 3));
  return painting(painting(image, [196, 150, 124], lids), [70, 48, 40], lines);
};

/** What views begin with. Each is drawn once, and no view changes it. */
type Ground = Readonly<Record<"selfie" | "portrait", () => Image>>;

const once = (draw: () => Image): (() => Image) => {
  let drawn: Image | undefined;
  return () => {
    drawn ??= draw();
    return drawn;
  };
};

const makeGround = (): Ground => ({ selfie: once(selfie), portrait: once(drawPersonaPortrait) });

type Draw = (ground: Ground, imaging: Imaging) => Image;

const crop =
  (x: number, y: number, width: number, height: number): Draw =>
  (ground, { crop: cut }) =>
    cut(ground.selfie(), { x, y, width, height });

const attack =
  (kind: Parameters<typeof drawAttack>[0]): Draw =>
  (ground) =>
    drawAttack(kind, ground.selfie(), 3);

/** The artificial face in front of a camera, as each key says. */
const views = {
  portrait: ({ portrait }) => portrait(),
  selfie: (ground) => ground.selfie(),
  "later-selfie": () => taken(laterView, 3),
  "selfie-in-the-dark": (ground) => darkened(ground.selfie()),
  "selfie-too-close": () => selfie({ yaw: 0.05, shown: 1.9, middle: 0.1 }),
  "selfie-from-afar": () => selfie({ shown: 18, middle: 0 }),
  "selfie-looking-aside": () => selfie({ yaw: 0.9 }),
  "selfie-in-profile": () => selfie({ yaw: 1.2 }),
  "selfie-near-the-border": crop(0, 0, 235, 400),
  "selfie-cut-by-the-frame": (_, { crop: cut }) =>
    cut(selfie({ width: 480, shown: 4 }), { x: 0, y: 0, width: 245, height: 400 }),
  "selfie-of-two": (ground) => beside(ground.selfie(), ground.portrait()),
  "selfie-behind-a-mask": (ground) =>
    painting(ground.selfie(), [70, 130, 190], [rectangle(93, 220, 134, 94)]),
  "selfie-with-closed-eyes": () => blinking(taken(portraitView, 2)),
  "selfie-on-a-telephone": attack("telephone"),
  "selfie-on-a-tablet": attack("tablet"),
  "selfie-on-paper": attack("print-in-hand"),
  "empty-wall": () =>
    expose(
      painted(frame.width, frame.height, (x, y) => wall(x / frame.width, y / frame.height)),
      { noise: 1, blurPx: 0, falloff: 0.92, seed: 4 },
    ),
} as const satisfies Readonly<Record<string, Draw>>;

const isView = (name: string): name is keyof typeof views => Object.hasOwn(views, name);

/** Names of the drawings of faces. */
export const personaFaceNames = [...Object.keys(views).filter(isView), "speck", "selfie-cut-short"] as const;

export type PersonaFaceName = keyof typeof views | "speck" | "selfie-cut-short";

/** The start of a file, whose pixels are missing: its header and metadata are whole. */
const cutShortBytes = 700;

/** The portrait of a persona's documents. */
export const drawPersonaPortrait = (): Image => taken(portraitView, 1);

/** Draws a persona's face, encoded. The same name gives the same bytes. */
export type DrawPersonaFace = (name: PersonaFaceName) => Promise<Uint8Array>;

/** Keeps the images with which several faces begin. */
export const makeDrawPersonaFace = (imaging: Imaging): DrawPersonaFace => {
  const ground = makeGround();
  return async (name) => {
    // Too small to be searched.
    if (name === "speck")
      return await imaging.encodePng({ width: 20, height: 20, data: new Uint8Array(1_200) });
    if (name === "selfie-cut-short") {
      return (await imaging.encodeJpeg(ground.selfie(), 88)).slice(0, cutShortBytes);
    }
    return await imaging.encodeJpeg(views[name](ground, imaging), 88);
  };
};
