import type { Image, Imaging } from "#machine/imaging/image";
import { type Colour, painted } from "./canvas.ts";
import { drawFace, type FaceView } from "./face.ts";
import { encodeFlatPng } from "./flat-png.ts";
import { readOutlines } from "./lettering.ts";
import { breakCheckDigit, type PassportHolder, writePassportLines } from "./mrz.ts";
import { drawPassport, pageHeight, pageWidth } from "./passport.ts";
import { expose } from "./photograph.ts";

/** The images of the specification's examples, encoded. */
export type DrawnExamples = {
  readonly portrait: Uint8Array;
  readonly selfie: Uint8Array;
  readonly laterSelfie: Uint8Array;
  readonly passport: Uint8Array;
  readonly contradictoryPassport: Uint8Array;
};

/** An invented holder. The example is approved until the passport expires. */
const holder: PassportHolder = {
  issuer: "CHL",
  nationality: "CHL",
  surname: "Muñoz Prueba",
  givenNames: "Franco Andrés",
  number: "F12345678",
  birth: "900314",
  sex: "M",
  expiry: "350930",
};

const wall = (u: number, v: number): Colour => {
  const shade = 168 + 26 * u - 20 * v;
  return [shade, shade + 4, shade + 2];
};
const doorway = (u: number, v: number): Colour => (u < 0.2 ? [112, 104, 96] : wall(1 - u, v));

const frame = { width: 184, height: 230 } as const;
const views = {
  portrait: { ...frame, yaw: 0, shown: 3.3, middle: -0.05, light: [0.3, 0.5, 1], background: wall },
  selfie: { ...frame, yaw: 0.2, shown: 3, middle: -0.12, light: [-0.5, 0.4, 0.9], background: doorway },
  laterSelfie: { ...frame, yaw: -0.16, shown: 3.1, middle: 0, light: [0.1, 0.9, 0.8], background: doorway },
} as const satisfies Readonly<Record<string, FaceView>>;

const photograph = (imaging: Imaging, view: FaceView, seed: number): Promise<Uint8Array> =>
  imaging.encodeJpeg(expose(drawFace(view), { noise: 0.5, blurPx: 0, falloff: 0.92, seed }), 70);

/** Flat colours: every further one makes the file larger. */
const palette: readonly Colour[] = [
  [70, 62, 58],
  [206, 230, 216],
  [232, 214, 222],
  [216, 222, 240],
  [34, 38, 52],
  [212, 196, 206],
  [196, 148, 124],
  [112, 84, 72],
];
const [table, papers, ink, mark, skin, shadow] = [0, 3, 4, 5, 6, 7];

const stripeWidth = 48;
/** Upright stripes, which repeat from row to row: coloured print at no cost. */
const paperAt = (x: number): number => 1 + (Math.floor(x / stripeWidth) % papers);

/** Right of it the page holds print alone. */
const portraitEnd = 248;

/**
 * Size of the page in pixels, on a table of the size that the interface asks. Half of the pixels are left.
 */
const scan = { width: 1020, height: 720, left: 135, top: 96 } as const;

/** The colour of a pixel of the page: paper, ink, the mark, or the two tones of the portrait. */
const indexOf = ([red, green, blue]: Colour, x: number): number => {
  const light = (red + green + blue) / 3;
  if (light < 75) return ink;
  if (x < portraitEnd && red > blue + 20) return light > 120 ? skin : shadow;
  if (green < Math.min(red, blue) - 20) return mark;
  return light < 165 ? ink : paperAt(x);
};

const encodePage = (page: Image): Uint8Array =>
  encodeFlatPng(scan.width, scan.height, palette, (x, y) => {
    const [column, row] = [x - scan.left, y - scan.top];
    if (column < 0 || row < 0 || column >= page.width || row >= page.height) return table;
    const at = (row * page.width + column) * 3;
    return indexOf([page.data[at]!, page.data[at + 1]!, page.data[at + 2]!], column);
  });

/**
 * Draws the images of the examples, the same every time. They stay small: the specification holds them as
 * text.
 */
export const drawExamples = async (imaging: Imaging): Promise<DrawnExamples> => {
  const outlines = readOutlines();
  const lines = writePassportLines(holder);
  const white: Colour = [236, 236, 236];
  const shown = drawFace({ ...views.portrait, background: () => white });
  const draw = async (printed: readonly [string, string]) => {
    const paper = painted(pageWidth, pageHeight, () => white);
    const page = drawPassport({ holder, lines: printed, portrait: shown, country: "CHILE", paper }, outlines);
    return encodePage(await imaging.resize(page, pageWidth / 2, pageHeight / 2));
  };
  return {
    portrait: await photograph(imaging, views.portrait, 1),
    selfie: await photograph(imaging, views.selfie, 2),
    laterSelfie: await photograph(imaging, views.laterSelfie, 3),
    passport: await draw(lines),
    contradictoryPassport: await draw(breakCheckDigit(lines)),
  };
};
