/**
 * Changes of a data page before its photograph. Positions are those of src/sandbox/specimen/passport.ts, in
 * millimetres.
 */
import type { Image, Quad } from "../../../src/machine/imaging/image.ts";
import { printMedium } from "../../../src/sandbox/specimen/attack.ts";
import { type Colour, fill, rectangle } from "../../../src/sandbox/specimen/canvas.ts";
import { type Outlines, write } from "../../../src/sandbox/specimen/lettering.ts";
import { pageHeight, pageWidth } from "../../../src/sandbox/specimen/passport.ts";
import { laySurface, type Medium, shownImage } from "../../../src/sandbox/specimen/surface.ts";
import { digits } from "./holder.ts";

const pxPerMm = pageWidth / 125;
const mm = (millimetres: number): number => millimetres * pxPerMm;

/** Left, top, width and height of the portrait. */
const portrait = [6, 14, 35, 45] as const;

/** The portrait's corners as shares of the page's width and height. */
export const portraitShares = ((): Quad => {
  const [x, y, width, height] = portrait.map(mm);
  const [left, right] = [x! / pageWidth, (x! + width!) / pageWidth];
  const [top, bottom] = [y! / pageHeight, (y! + height!) / pageHeight];
  return [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
})();

const copyOf = ({ width, height, data }: Image): Image => ({ width, height, data: Uint8Array.from(data) });

/**
 * Puts another print over the portrait: cut by hand, so that it is some tenths of a millimetre askew, with
 * its own dots and tone and a shadow along two sides.
 */
export const coverPortrait = (page: Image, other: Image, random: () => number): Image => {
  const forged = copyOf(page);
  const askew = (): number => mm(0.8 * (random() - 0.5));
  const [x, y, width, height] = portrait.map((side) => mm(side) + askew());
  const shadow = rectangle(x! + mm(0.3), y! + mm(0.3), width!, height!);
  fill(forged, [shadow], [40, 40, 46], 0.5);
  const quad: Quad = [
    [x!, y!],
    [x! + width!, y! + askew()],
    [x! + width!, y! + height!],
    [x! + askew(), y! + height!],
  ];
  const ratio = width! / height!;
  const paper: Medium = { ...printMedium(random, (35 / 25.4) * 133, ratio), chroma: 0.7 + 0.3 * random() };
  laySurface(forged, shownImage(other, paper, ratio), quad);
  return forged;
};

/** Positions of values worth forging: left edge and baseline. */
const places = {
  birth: [80, 47.4],
  number: [88, 20.4],
  expiry: [80, 56.4],
} as const;

/**
 * Paints a value over in the ground's mean colour and writes it again: blacker, in another size, the number
 * in another typeface. The MRZ keeps the old value.
 */
export const rewriteValue = (page: Image, outlines: Outlines, random: () => number): Image => {
  const forged = copyOf(page);
  const names = ["birth", "number", "expiry"] as const;
  const name = names[Math.floor(random() * names.length)]!;
  const [x, y] = places[name];
  const patch = { x: mm(x - 0.6), y: mm(y - 3.7), width: mm(28), height: mm(4.6) };
  fill(forged, [rectangle(patch.x, patch.y, patch.width, patch.height)], groundOf(page, patch));
  const black = 4 + 14 * random();
  write(forged, name === "number" ? outlines.ocrB : outlines.sans, newValue(name, random), {
    x: mm(x + 0.3 * (random() - 0.5)),
    baseline: mm(y + 0.3 * (random() - 0.5)),
    emPx: mm(3.7 + 0.5 * random()),
    colour: [black, black, black],
  });
  return forged;
};

const newValue = (name: keyof typeof places, random: () => number): string =>
  name === "number"
    ? `K${digits(random, 8)}`
    : `0${1 + Math.floor(9 * random())} OCT ${name === "birth" ? 70 + Math.floor(29 * random()) : 35 + Math.floor(4 * random())}`;

type Patch = { readonly x: number; readonly y: number; readonly width: number; readonly height: number };

/** Mean of the pixels without ink. */
const groundOf = ({ data, width }: Image, patch: Patch): Colour => {
  const sum = [0, 0, 0];
  let count = 0;
  for (let y = Math.round(patch.y); y < patch.y + patch.height; y++) {
    for (let x = Math.round(patch.x); x < patch.x + patch.width; x++) {
      const at = (y * width + x) * 3;
      if (data[at + 1]! < 140) continue;
      for (let channel = 0; channel < 3; channel++) sum[channel]! += data[at + channel]!;
      count++;
    }
  }
  return [sum[0]! / count, sum[1]! / count, sum[2]! / count];
};
