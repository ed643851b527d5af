import { seededRandom } from "../../../src/contract/statistics/random.ts";
import type { Image, Quad } from "../../../src/machine/imaging/image.ts";
import { cellsOf, framed, printMedium, screenMedium } from "../../../src/sandbox/specimen/attack.ts";
import { type Colour, painted } from "../../../src/sandbox/specimen/canvas.ts";
import type { Outlines } from "../../../src/sandbox/specimen/lettering.ts";
import { writePassportLines } from "../../../src/sandbox/specimen/mrz.ts";
import { drawPassport } from "../../../src/sandbox/specimen/passport.ts";
import { boxBlur } from "../../../src/sandbox/specimen/photograph.ts";
import { laySurface, type Medium, shownImage } from "../../../src/sandbox/specimen/surface.ts";
import { type Capture, projection, type Shown, takeImage } from "./capture.ts";
import { inventHolder } from "./holder.ts";
import { coverPortrait, portraitShares, rewriteValue } from "./page.ts";

export const imageKinds = [
  "genuine",
  "grey-copy",
  "colour-copy",
  "uncut-copy",
  "screen",
  "covered-portrait",
  "pasted-portrait",
  "rewritten-value",
] as const;

export type ImageKind = (typeof imageKinds)[number];

/** The input of a drawn document; the same seed gives the same document. */
export type Source = {
  readonly portrait: Image;
  /** The portrait that replaces the holder's. */
  readonly other: Image;
  readonly outlines: Outlines;
  readonly document: number;
};

/** A drawn data page, and the inputs of attacks on it. */
export type Drawn = Pick<Source, "other" | "outlines"> & { readonly page: Image };

export const drawDocument = ({ portrait, other, outlines, document }: Source): Drawn => {
  const random = seededRandom(document);
  const { holder, country } = inventHolder(random);
  const lines = writePassportLines(holder);
  const drawn = drawPassport({ holder, lines, country, portrait }, outlines);
  return { page: press(drawn, 1.1 + 0.9 * random()), other, outlines };
};

/**
 * As printed by a press: some issuers in stronger colour, and no sharper than 300 dots per inch. Edges of one
 * pixel would interfere with the camera's pixels and look like a screen.
 */
const press = (page: Image, chroma: number): Image => {
  const { width, height, data } = boxBlur(page, 1);
  return painted(width, height, (x, y) => {
    const at = (y * width + x) * 3;
    const [red, green, blue] = [data[at]!, data[at + 1]!, data[at + 2]!];
    const grey = 0.299 * red + 0.587 * green + 0.114 * blue;
    return [grey + (red - grey) * chroma, grey + (green - grey) * chroma, grey + (blue - grey) * chroma];
  });
};

/**
 * A photograph of a drawn document or of an attack with it; the same document and seed give the same image.
 */
export const drawImage = (kind: ImageKind, drawn: Drawn, seed: number): Capture => {
  const random = seededRandom(seed);
  const { shown, alter } = makers[kind](drawn, random);
  const capture = takeImage(shown, random, seed);
  return alter === undefined ? capture : { ...capture, image: alter(capture) };
};

/** The object before the camera, and a later change of the file. */
type Made = { readonly shown: Shown; readonly alter?: (capture: Capture) => Image };

type Make = (drawn: Drawn, random: () => number) => Made;

const none = [0, 0] as const;

const ratioOf = ({ width, height }: Image): number => width / height;

/** Laminate: hardly any loss, sometimes the reflection of a lamp. */
const showGenuine = (page: Image, random: () => number): Shown => {
  const medium: Medium = {
    lift: 12 * random(),
    gain: 0.85 + 0.13 * random(),
    chroma: 0.9 + 0.1 * random(),
    glare: {
      u: random(),
      v: random(),
      radius: 0.1 + 0.2 * random(),
      light: random() < 0.3 ? 70 * random() : 0,
    },
  };
  return { surface: shownImage(page, medium, ratioOf(page)), ratio: ratioOf(page), margin: none };
};

/** Printer dots at 100 to 170 lines per inch over a page of 125 mm. */
const printed = (page: Image, random: () => number, chroma: number): Shown => {
  const ratio = ratioOf(page);
  const across = (125 / 25.4) * (100 + 70 * random());
  const medium = { ...printMedium(random, across, ratio), chroma };
  return { surface: shownImage(page, medium, ratio), ratio, margin: none };
};

/** The sheet around the page was not cut away. */
const uncut = ({ surface, ratio }: Shown, random: () => number): Shown => {
  const side = 0.04 + 0.1 * random();
  const white = 215 + 35 * random();
  return enclose(surface, ratio, [side, side * ratio], [white, white, white * 0.97]);
};

const enclose = (
  surface: Shown["surface"],
  ratio: number,
  margin: Shown["margin"],
  colour: Colour,
): Shown => ({
  surface: framed(surface, margin, colour),
  ratio: (ratio * (1 - 2 * margin[1])) / (1 - 2 * margin[0]),
  margin,
});

/**
 * A viewer's black border around the page; screens from phones to monitors, .7 to 3 camera pixels per cell.
 */
const onScreen = (page: Image, random: () => number): Shown => {
  const ratio = ratioOf(page);
  const medium = screenMedium(random, cellsOf(random, 1400, 0.7, 3), ratio);
  const side = 0.02 + 0.1 * random();
  const black = 8 + 20 * random();
  return enclose(shownImage(page, medium, ratio), ratio, [side, side * ratio], [black, black, black]);
};

/** The portrait of another file, pasted into the image itself: softer, and without the camera's noise. */
const pastePortrait =
  (other: Image, random: () => number) =>
  ({ image, quad }: Capture): Image => {
    const place = projection(quad);
    const [a, b, c, d] = portraitShares.map(([u, v]) => place(u, v));
    const corners: Quad = [a!, b!, c!, d!];
    const data = Uint8Array.from(image.data);
    const forged = { ...image, data };
    const medium: Medium = { lift: 6 * random(), gain: 0.75 + 0.25 * random(), chroma: 0.9 };
    laySurface(forged, shownImage(boxBlur(other, 1), medium, 35 / 45), corners);
    return forged;
  };

const makers: Readonly<Record<ImageKind, Make>> = {
  genuine: ({ page }, random) => ({ shown: showGenuine(page, random) }),
  "grey-copy": ({ page }, random) => {
    const sheet = printed(page, random, 0);
    return { shown: random() < 0.5 ? uncut(sheet, random) : sheet };
  },
  "colour-copy": ({ page }, random) => ({ shown: printed(page, random, 0.6 + 0.35 * random()) }),
  "uncut-copy": ({ page }, random) => ({
    shown: uncut(printed(page, random, 0.6 + 0.35 * random()), random),
  }),
  screen: ({ page }, random) => ({ shown: onScreen(page, random) }),
  "covered-portrait": ({ page, other }, random) => ({
    shown: showGenuine(coverPortrait(page, other, random), random),
  }),
  "pasted-portrait": ({ page, other }, random) => ({
    shown: showGenuine(page, random),
    alter: pastePortrait(other, random),
  }),
  "rewritten-value": ({ page, outlines }, random) => ({
    shown: showGenuine(rewriteValue(page, outlines, random), random),
  }),
};
