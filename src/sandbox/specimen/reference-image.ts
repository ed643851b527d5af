import { seededRandom } from "#contract/statistics/random";
import type { Image, Point } from "#machine/imaging/image";
import { painted } from "./canvas.ts";
import { expose, lay } from "./photograph.ts";

/** Reference images to compare a selfie with, each degraded in its own way. */
export const referenceKinds = ["document-portrait", "registry-photo"] as const;
export type ReferenceKind = (typeof referenceKinds)[number];

export const isReferenceKind = (name: string): name is ReferenceKind =>
  referenceKinds.some((kind) => kind === name);

/** A drawn reference and the JPEG quality at which its issuer would store it. */
export type ReferenceImage = { readonly image: Image; readonly jpegQuality: number };

/**
 * Degrades a portrait to the reference that an issuer's document or a registry would hold. It serves to
 * measure comparisons. The same seed treats every portrait identically.
 */
export const drawReference = (kind: ReferenceKind, portrait: Image, seed: number): ReferenceImage =>
  kind === "document-portrait" ? photographPortrait(portrait, seed) : registerPortrait(portrait, seed);

/** A uniform random value between two bounds. */
type Draw = (low: number, high: number) => number;
const drawFrom = (seed: number): Draw => {
  const random = seededRandom(seed);
  return (low, high) => low + (high - low) * random();
};

/** A card's portrait of 25 × 32 mm, printed at 300 dots per inch. */
const printWidth = 295;
const printHeight = 378;

/**
 * A portrait printed on a card and photographed: grey (laser engraving) or pale colour (dye), crossed by the
 * card's waves, 110 to 290 px wide as in a telephone's image (4.5 to 11.5 px per millimetre), with lens blur,
 * light and noise.
 */
const photographPortrait = (portrait: Image, seed: number): ReferenceImage => {
  const between = drawFrom(seed);
  const printed = print(portrait, between);
  const width = Math.round(between(110, 290));
  const height = Math.round((width * printHeight) / printWidth);
  const margin = Math.round(width * 0.3);
  const scene = painted(width + 2 * margin, height + 2 * margin, (x, y) => paperAt(x / width, y / width));
  const lean = (): number => between(-0.03, 0.03) * width;
  const corner = (x: number, y: number): Point => [margin + x + lean(), margin + y + lean()];
  lay(scene, shrunk(printed, width, height), [
    corner(0, 0),
    corner(width, 0),
    corner(width, height),
    corner(0, height),
  ]);
  const exposure = { noise: between(1, 6), blurPx: width > 200 ? 1 : 0, falloff: between(0.7, 1), seed };
  return { image: expose(scene, exposure), jpegQuality: Math.round(between(70, 92)) };
};

const paperAt = (x: number, y: number): readonly [number, number, number] => {
  const wave = 10 * Math.sin(22 * y + 3 * Math.sin(5 * x));
  return [214 + wave, 222 + wave, 218 - wave];
};

const print = (portrait: Image, between: Draw): Image => {
  const isGrey = between(0, 1) < 0.5;
  const contrast = between(0.65, 0.95);
  const [lift, waves, phase] = [between(10, 45), between(4, 16), between(0, 6)];
  const saturation = isGrey ? 0 : between(0.6, 0.95);
  const cut = shrunk(portrait, printWidth, printHeight);
  const data = new Uint8ClampedArray(cut.data.length);
  for (let y = 0; y < printHeight; y++) {
    for (let x = 0; x < printWidth; x++) {
      const at = (y * printWidth + x) * 3;
      const [red, green, blue] = [cut.data[at]!, cut.data[at + 1]!, cut.data[at + 2]!];
      const grey = 0.299 * red + 0.587 * green + 0.114 * blue;
      // A guilloche: lines a few pixels wide that bend over the face.
      const line = Math.max(0, Math.sin(y / 4.1 + 2.4 * Math.sin(x / 31 + phase))) ** 4 * waves;
      for (const [channel, value] of [red, green, blue].entries()) {
        data[at + channel] = lift + contrast * (grey + saturation * (value - grey)) - line;
      }
    }
  }
  return { width: printWidth, height: printHeight, data: new Uint8Array(data.buffer) };
};

/** A registry's stored photograph: 100 to 200 px wide and strongly compressed. */
const registerPortrait = (portrait: Image, seed: number): ReferenceImage => {
  const between = drawFrom(seed);
  const width = Math.round(between(100, 200));
  const height = Math.round((width * printHeight) / printWidth);
  const small = shrunk(portrait, width, height);
  const contrast = between(0.8, 1.15);
  const data = Uint8ClampedArray.from(small.data, (value) => 128 + contrast * (value - 128));
  return {
    image: { width, height, data: new Uint8Array(data.buffer) },
    jpegQuality: Math.round(between(30, 65)),
  };
};

/**
 * The centre of an image in the shape of the given size; each pixel is the mean of the area that it covers.
 */
const shrunk = (image: Image, width: number, height: number): Image => {
  const scale = Math.min(image.width / width, image.height / height);
  // Rounding may give a value slightly below zero.
  const left = Math.max(0, (image.width - width * scale) / 2);
  const top = Math.max(0, (image.height - height * scale) / 2);
  return painted(width, height, (x, y) =>
    meanOf(image, left + x * scale, top + y * scale, left + (x + 1) * scale, top + (y + 1) * scale),
  );
};

const meanOf = (
  { data, width, height }: Image,
  left: number,
  top: number,
  right: number,
  bottom: number,
): readonly [number, number, number] => {
  const sums: [number, number, number] = [0, 0, 0];
  let covered = 0;
  for (let y = Math.floor(top); y < bottom && y < height; y++) {
    const tall = Math.min(bottom, y + 1) - Math.max(top, y);
    for (let x = Math.floor(left); x < right && x < width; x++) {
      const share = tall * (Math.min(right, x + 1) - Math.max(left, x));
      const at = (y * width + x) * 3;
      covered += share;
      for (const channel of [0, 1, 2]) sums[channel]! += share * data[at + channel]!;
    }
  }
  return [sums[0] / covered, sums[1] / covered, sums[2] / covered];
};
