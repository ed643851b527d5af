import { seededRandom } from "#contract/statistics/random";
import type { Box, Image, Point } from "#machine/imaging/image";
import { bilinear, type Colour, fill } from "./canvas.ts";

/**
 * How issuers put a portrait into a card or page (ICAO Doc 9303-2, appendix A: the background's print runs
 * into the portrait, and a portrait whose border is no edge cannot be exchanged unseen). `colour`: printed
 * ink; `black`: engraved by a laser, which only darkens.
 */
export type PortraitInk = "colour" | "black";

export type PortraitPrint = {
  readonly ink: PortraitInk;
  /** Left edge, top, width and height in pixels of the side. */
  readonly place: Box;
  /** Share of the ink that is printed: 1 for the main portrait, less for a ghost. Absent: 1. */
  readonly density?: number;
};

/**
 * Prints a portrait into a side. Inks only take light away: the side's own print shows through the portrait's
 * light parts, its plain background is nearly clear, and its borders fade. The portrait is cropped to the
 * place's shape around its centre.
 */
export const printPortrait = (
  side: Image,
  portrait: Image,
  { ink, place, density = 1 }: PortraitPrint,
): void => {
  const { x: left, y: top, width, height } = whole(place);
  const scale = Math.min(portrait.width / width, portrait.height / height);
  const [fromX, fromY] = [(portrait.width - width * scale) / 2, (portrait.height - height * scale) / 2];
  const gain = gainOf(portrait);
  const light: [number, number, number] = [0, 0, 0];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const share = density * fadeAt((x + 0.5) / width) * fadeAt((y + 0.5) / height);
      const [u, v] = [fromX + (x + 0.5) * scale - 0.5, fromY + (y + 0.5) * scale - 0.5];
      for (let channel = 0; channel < 3; channel++) light[channel] = gain * bilinear(portrait, u, v, channel);
      if (ink === "black") light.fill(lumaOf(light));
      takeLight(side, ((top + y) * side.width + left + x) * 3, light, share);
    }
  }
};

/** Share of the paper's colour that is left white below a portrait. */
const whitened = 0.3;

const takeLight = ({ data }: Image, at: number, light: readonly number[], share: number): void => {
  for (let channel = 0; channel < 3; channel++) {
    const paper = data[at + channel]!;
    const base = paper + (255 - paper) * whitened * share;
    data[at + channel] = base * (1 - share + (share * Math.min(255, light[channel]!)) / 255);
  }
};

const whole = ({ x, y, width, height }: Box): Box => ({
  x: Math.round(x),
  y: Math.round(y),
  width: Math.round(width),
  height: Math.round(height),
});

const lumaOf = ([red, green, blue]: readonly [number, number, number]): number =>
  0.3 * red + 0.59 * green + 0.11 * blue;

/** The border of a portrait fades over this share of its side. */
const fadeShare = 0.07;

const fadeAt = (along: number): number => {
  const inside = Math.min(1, Math.min(along, 1 - along) / fadeShare);
  return inside * inside * (3 - 2 * inside);
};

/**
 * Brings the plain background (ISO/IEC 19794-5), seen in the upper corners, near the paper's white; within
 * bounds.
 */
const gainOf = (portrait: Image): number => {
  const lumas: number[] = [];
  const [across, down] = [Math.ceil(portrait.width * 0.12), Math.ceil(portrait.height * 0.12)];
  for (let y = 0; y < down; y++) {
    for (let x = 0; x < across; x++) {
      for (const column of [x, portrait.width - 1 - x]) {
        const at = (y * portrait.width + column) * 3;
        lumas.push(lumaOf([portrait.data[at]!, portrait.data[at + 1]!, portrait.data[at + 2]!]));
      }
    }
  }
  const usual = lumas.toSorted((a, b) => a - b)[lumas.length >> 1]!;
  return Math.min(gainMax, Math.max(1, white / Math.max(1, usual)));
};

const white = 245;
const gainMax = 1.6;

/** Guilloche lines: step, swing and thickness in millimetres. */
const lines = { step: 1.2, swing: 1.1, thickness: 0.13, opacity: 0.24 } as const;

/**
 * Prints two families of fine waves over a portrait and beyond its borders on every side, as security print
 * does. A portrait that is laid over the card covers them, and they end at its edge.
 */
export const printLinesOver = (side: Image, place: Box, pxPerMm: number, seed: number): void => {
  const random = seededRandom(seed);
  const phase = 7 * random();
  const [warm, cool]: readonly Colour[] = [
    [204, 104, 62],
    [46, 116, 176],
  ];
  const margin = 2.4 * pxPerMm;
  const count = Math.ceil((place.height + 2 * margin) / (lines.step * pxPerMm));
  for (let line = 0; line < count; line++) {
    const base = place.y - margin + line * lines.step * pxPerMm;
    const wave = { from: place.x - margin, to: place.x + place.width + margin, base, pxPerMm };
    drawLine(side, wave, phase + 0.21 * line, warm!);
    drawLine(side, { ...wave, base: base + 0.5 * lines.step * pxPerMm }, phase + 3 - 0.17 * line, cool!);
  }
};

type Wave = { readonly from: number; readonly to: number; readonly base: number; readonly pxPerMm: number };

const drawLine = (side: Image, { from, to, base, pxPerMm }: Wave, phase: number, colour: Colour): void => {
  const at = (x: number): number => base + lines.swing * pxPerMm * Math.sin(x / (4.6 * pxPerMm) + phase);
  /** Thinner towards its ends: a line stops nowhere with an edge. */
  const halfAt = (x: number): number =>
    ((lines.thickness * pxPerMm) / 2) * Math.min(1, (x - from) / (1.2 * pxPerMm), (to - x) / (1.2 * pxPerMm));
  const [upper, lower]: [Point[], Point[]] = [[], []];
  for (let x = Math.max(0, from); x <= Math.min(side.width, to); x += 0.3 * pxPerMm) {
    const half = Math.max(0, halfAt(x));
    upper.push([x, at(x) - half]);
    lower.push([x, at(x) + half]);
  }
  fill(side, [[...upper, ...lower.toReversed()]], colour, lines.opacity);
};

/** Levels of 255 by which the raster of a press moves a middle tone. */
const rasterDepth = 4;

/**
 * The fine raster that one press gives to background and portrait alike: middle tones vary most, white and
 * black not at all.
 */
export const rasterise = (side: Image, seed: number): void => {
  const random = seededRandom(seed ^ 0x7a57e4);
  const { data } = side;
  for (let at = 0; at < data.length; at += 3) {
    const grain = rasterDepth * (random() + random() - 1);
    for (let channel = 0; channel < 3; channel++) {
      const tone = data[at + channel]! / 255;
      data[at + channel] = Math.max(0, Math.min(255, data[at + channel]! + grain * 4 * tone * (1 - tone)));
    }
  }
};
