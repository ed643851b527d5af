import { seededRandom } from "#contract/statistics/random";
import type { Box, Image, Quad } from "#machine/imaging/image";
import { printMedium } from "./attack.ts";
import { fill, rectangle } from "./canvas.ts";
import { laySurface, type Medium, shownImage } from "./surface.ts";

/**
 * Ways to replace a portrait. `pasted`: another image over the portrait, with a hard edge. `blended`: the
 * same with a soft edge and the brightness of the portrait before. `laid-on`: a printed photograph with its
 * own paper and a shadow; for a card before its photograph. `swapped`: another face within the portrait, with
 * a soft edge, in the colours of the face before.
 */
export const portraitForgeries = ["pasted", "blended", "laid-on", "swapped"] as const;

export type PortraitForgery = (typeof portraitForgeries)[number];

/** Where portrait and face are, in pixels; both upright. */
export type PortraitPlaces = { readonly portrait: Box; readonly face: Box };

/** An image of another person. `places.portrait`: the part of it that is used. */
export type OtherPerson = { readonly image: Image; readonly places: PortraitPlaces };

/** A copy of the image in which the portrait is another person's. The same seed gives the same image. */
export const forgePortrait = (
  kind: PortraitForgery,
  image: Image,
  { portrait, face }: PortraitPlaces,
  other: OtherPerson,
  seed: number,
): Image => {
  const forged = { ...image, data: Uint8Array.from(image.data) };
  if (kind === "laid-on") layOn(forged, portrait, other, seed);
  if (kind === "pasted") paste(forged, portrait, sampleOf(other, "portrait"), () => 1);
  if (kind === "blended") {
    const sample = sampleOf(other, "portrait");
    paste(forged, portrait, likeBefore(sample, portrait, image, { contrast: false }), softRectangle);
  }
  if (kind === "swapped") {
    const sample = sampleOf(other, "face");
    paste(forged, face, likeBefore(sample, face, image, { contrast: true }), softEllipse);
  }
  return forged;
};

/** The colour of the other image at a place of the target, 0…1 across and down; `size`: of a target pixel. */
type Sample = (u: number, v: number, size: readonly [number, number], channel: number) => number;

/**
 * Means over the pixels of the other image below a target pixel, and between its pixels where it is smaller.
 */
const sampleOf = ({ image, places }: OtherPerson, part: keyof PortraitPlaces): Sample => {
  const { x, y, width, height } = places[part];
  return (u, v, [across, down], channel) => {
    const [nx, ny] = [Math.ceil(across * width), Math.ceil(down * height)];
    let sum = 0;
    for (let i = 0; i < nx * ny; i++) {
      const dx = (((i % nx) + 0.5) / nx - 0.5) * across;
      const dy = ((Math.floor(i / nx) + 0.5) / ny - 0.5) * down;
      sum += cubicAt(image, x + (u + dx) * width - 0.5, y + (v + dy) * height - 0.5, channel);
    }
    return sum / (nx * ny);
  };
};

/** Between pixels by cubic curves (Catmull-Rom), as editors of images enlarge. */
const cubicAt = (image: Image, x: number, y: number, channel: number): number => {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  const rows = [-1, 0, 1, 2].map((dy) =>
    cubic(
      [-1, 0, 1, 2].map((dx) => pixelAt(image, left + dx, top + dy, channel)),
      x - left,
    ),
  );
  return cubic(rows, y - top);
};

const cubic = (values: readonly number[], t: number): number => {
  const [a, b, c, d] = [values[0]!, values[1]!, values[2]!, values[3]!];
  return b + 0.5 * t * (c - a + t * (2 * a - 5 * b + 4 * c - d + t * (3 * (b - c) + d - a)));
};

const pixelAt = ({ width, height, data }: Image, x: number, y: number, channel: number): number => {
  const [column, row] = [Math.min(width - 1, Math.max(0, x)), Math.min(height - 1, Math.max(0, y))];
  return data[(row * width + column) * 3 + channel]!;
};

/** How much of the other image is seen at a place of the target, 0…1 across and down. */
type Mask = (u: number, v: number) => number;

const softRectangle: Mask = (u, v) => Math.min(1, Math.min(u, 1 - u, v, 1 - v) / 0.06);

const softEllipse: Mask = (u, v) =>
  Math.min(1, Math.max(0, (1 - Math.hypot((u - 0.5) / 0.5, (v - 0.5) / 0.5)) / 0.3));

const paste = (image: Image, target: Box, sample: Sample, mask: Mask): void => {
  const { x, y, width, height } = target;
  const size = [1 / width, 1 / height] as const;
  for (let row = Math.max(0, Math.ceil(y)); row < Math.min(image.height, y + height); row++) {
    for (let column = Math.max(0, Math.ceil(x)); column < Math.min(image.width, x + width); column++) {
      const [u, v] = [(column + 0.5 - x) / width, (row + 0.5 - y) / height];
      const share = mask(u, v);
      if (share <= 0) continue;
      for (let channel = 0; channel < 3; channel++) {
        const at = (row * image.width + column) * 3 + channel;
        const before = image.data[at]!;
        image.data[at] = bounded(before + share * (sample(u, v, size, channel) - before));
      }
    }
  }
};

const bounded = (value: number): number => Math.max(0, Math.min(255, value + 0.5));

/**
 * The sample with the mean colours that the target had, and with its contrast where asked; contrast is never
 * raised by half.
 */
const likeBefore = (
  sample: Sample,
  target: Box,
  before: Image,
  { contrast }: { readonly contrast: boolean },
): Sample => {
  const [old, own] = [tonesIn(before, target), tonesOf(sample)];
  const gains = old.map(({ spread }, i) => (contrast ? Math.min(1.4, spread / own[i]!.spread) : 1));
  const share = contrast ? 1 : 0.5;
  return (u, v, size, channel) => {
    const { mean } = own[channel]!;
    const shifted = mean + share * (old[channel]!.mean - mean);
    return shifted + (sample(u, v, size, channel) - mean) * gains[channel]!;
  };
};

type Tones = readonly { readonly mean: number; readonly spread: number }[];

const places = 24;

const tonesOf = (sample: Sample): Tones =>
  [0, 1, 2].map((channel) => {
    const values = Array.from({ length: places * places }, (_, i) =>
      sample(
        ((i % places) + 0.5) / places,
        (Math.floor(i / places) + 0.5) / places,
        [1 / places, 1 / places],
        channel,
      ),
    );
    const mean = values.reduce((sum, value) => sum + value, 0) / values.length;
    const square = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / values.length;
    return { mean, spread: Math.max(1, Math.sqrt(square)) };
  });

const tonesIn = (image: Image, target: Box): Tones =>
  tonesOf(sampleOf({ image, places: { portrait: target, face: target } }, "portrait"));

/** Dots of a printer of photographs, to the inch, and the width of a portrait in inches. */
const dotsPerInch = 140;
const portraitInches = 1.1;

/**
 * The print is some hundredths askew, has a white rim of its own paper, its own dots and tones, and a shadow
 * along two sides.
 */
const layOn = (image: Image, { x, y, width, height }: Box, other: OtherPerson, seed: number): void => {
  const random = seededRandom(seed);
  const askew = (): number => 0.03 * width * (random() - 0.5);
  const [left, top, right, bottom] = [x + askew(), y + askew(), x + width + askew(), y + height + askew()];
  const lift = (0.008 + 0.012 * random()) * width;
  fill(image, [rectangle(left + lift, top + lift, right - left, bottom - top)], [40, 40, 46], 0.45);
  const quad: Quad = [
    [left, top],
    [right, top + askew()],
    [right, bottom],
    [left + askew(), bottom],
  ];
  const ratio = width / height;
  const medium: Medium = {
    ...printMedium(random, portraitInches * dotsPerInch, ratio),
    chroma: 0.7 + 0.3 * random(),
  };
  const shown = shownImage(cropOf(other), medium, ratio);
  const rim = 0.012;
  laySurface(
    image,
    (u, v, rgb) => {
      if (Math.min(u, 1 - u) < rim || Math.min(v, 1 - v) < rim * ratio) rgb.fill(240);
      else shown(u, v, rgb);
      return true;
    },
    quad,
  );
};

/** The used part of the other image at its own pixels. */
const cropOf = ({ image, places: { portrait } }: OtherPerson): Image => {
  const [width, height] = [Math.round(portrait.width), Math.round(portrait.height)];
  const [left, top] = [Math.round(portrait.x), Math.round(portrait.y)];
  const data = new Uint8Array(width * height * 3);
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      for (let channel = 0; channel < 3; channel++) {
        data[(row * width + column) * 3 + channel] = pixelAt(image, left + column, top + row, channel);
      }
    }
  }
  return { width, height, data };
};
