import type { GreyImage, Image, Imaging } from "#machine/imaging/image";
import { cropLine } from "./crop-line.ts";
import type { DetectText } from "./detect-text.ts";
import { fillGaps, removeThinStrokes } from "./morphology.ts";
import type { RecogniseLines } from "./recognise-lines.ts";
import type { TextBox } from "./text-box.ts";

/** A reading of large or slanted text across a side. One mark has several readings. */
export type MarkReading = { readonly text: string; readonly confidence: number };

/**
 * Reads text that was printed, stamped or punched across a side, at any angle; `boxes` are the text boxes of
 * the side. Letters may be outlined or overprinted. Bounded: six boxes of each of four searches.
 */
export type ReadMarks = (side: Image, boxes: readonly TextBox[]) => Promise<readonly MarkReading[]>;

/** Chosen on drawn sides with words across them (`specimen-marks.ts`, `mark-sweep.ts`). */
const limits = {
  /** Heights of a box as shares of the side's width: of a slanted one, and of one along the printed lines. */
  slantedMin: 0.025,
  levelMin: 0.055,
  /** Radians from which text is slanted: the lines of an upright side are level. */
  slant: 0.14,
  /** Radians from which a box does not show whether it reads up or down. */
  steep: 1.2,
  /** Width over height of a word of four letters, and of one of ten with spaces between them. */
  aspectMin: 1.8,
  aspectMax: 14,
  boxesMax: 6,
  /**
   * Width of the small side, and the radii in it that remove the strokes of print and of fine print alone,
   * and fill outlined letters.
   */
  smallWidth: 550,
  /**
   * Height of the small side over its width: no document is as tall, and the small side of a thin strip would
   * be huge.
   */
  tallMax: 4,
  thinRadius: 2,
  finestRadius: 1,
  gapRadius: 2,
  smallDetection: 352,
  /** With the print that remains where the finest strokes are removed, words need more pixels. */
  finestDetection: 416,
  /** Height of a strip, and the radius that fills outlined letters in it. */
  stripHeight: 40,
  fillRadius: 1,
  confidenceMin: 0.35,
} as const;

/** Growths of the detector's box: it includes more than the letters. */
const growths = [1.05, 0.85] as const;

type MarkDeps = {
  readonly imaging: Pick<Imaging, "resize" | "toGrey">;
  readonly detect: DetectText;
  readonly recognise: RecogniseLines;
};

export const makeReadMarks =
  (deps: MarkDeps): ReadMarks =>
  async (side, boxes) => {
    const found = markBoxes(boxes, side.width);
    const strips = [...stripsOf(deps.imaging.toGrey(side), found), ...(await stripsWithoutPrint(deps, side))];
    const read = strips.length === 0 ? [] : await deps.recognise(strips);
    return read.flatMap(({ text, confidence }) =>
      text.trim() === "" || confidence < limits.confidenceMin ? [] : [{ text: text.trim(), confidence }],
    );
  };

/**
 * Marks whose box the print hid: the same search on the side without print, without its finest strokes alone
 * (narrow letters of a mark remain), and on its colour alone, where black print vanishes and the letters of
 * an outlined mark are filled.
 */
const stripsWithoutPrint = async (
  { imaging, detect }: MarkDeps,
  side: Image,
): Promise<readonly GreyImage[]> => {
  const size = smallSize(side);
  if (size === undefined) return [];
  const small = await imaging.resize(side, size.width, size.height);
  const plain = imaging.toGrey(small);
  const searched = [
    [removeThinStrokes(plain, limits.thinRadius), limits.smallDetection],
    [removeThinStrokes(plain, limits.finestRadius), limits.finestDetection],
    [fillGaps(colourOf(small), limits.gapRadius), limits.smallDetection],
  ] as const;
  const found: GreyImage[] = [];
  for (const [grey, longSide] of searched) {
    const boxes = await detect(asColour(grey), { longSide });
    found.push(...stripsOf(grey, markBoxes(boxes, grey.width)));
  }
  return found;
};

/**
 * Size in pixels of the side in which marks without print are searched; undefined where it is not searched.
 */
export const smallSize = (
  side: Pick<Image, "width" | "height">,
): { readonly width: number; readonly height: number } | undefined => {
  const width = limits.smallWidth;
  const height = Math.round((side.height * width) / side.width);
  return height > limits.tallMax * width ? undefined : { width, height };
};

/** Dark where a pixel has colour, white where it is grey or black. */
const colourOf = ({ width, height, data }: Image): GreyImage => {
  const grey = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) writeColour(grey, data, y * width, (y + 1) * width);
  return { width, height, data: grey };
};

/** One row, here and below: a side is read once, and the engine optimises a function after some calls. */
const writeColour = (grey: Uint8Array, data: Uint8Array, from: number, to: number): void => {
  for (let i = from, at = 3 * from; i < to; i++, at += 3) {
    const red = data[at]!;
    const green = data[at + 1]!;
    const blue = data[at + 2]!;
    const spread = Math.max(red, green, blue) - Math.min(red, green, blue);
    grey[i] = 255 - Math.min(255, spread * 1.5);
  }
};

/** The boxes that may hold a word across the side, the highest first. */
const markBoxes = (boxes: readonly TextBox[], width: number): readonly TextBox[] =>
  boxes
    .filter((box) => {
      const isSlanted = Math.abs(box.angle) >= limits.slant;
      const heightMin = (isSlanted ? limits.slantedMin : limits.levelMin) * width;
      const aspect = box.width / box.height;
      return box.height >= heightMin && aspect >= limits.aspectMin && aspect <= limits.aspectMax;
    })
    .toSorted((a, b) => b.height - a.height)
    .slice(0, limits.boxesMax);

const stripsOf = (grey: GreyImage, boxes: readonly TextBox[]): readonly GreyImage[] =>
  boxes.flatMap((box) =>
    growths.flatMap((growth) => {
      const strip = lowered(stripOf(grey, box, growth), limits.stripHeight);
      const both = [strip, fillGaps(strip, limits.fillRadius)];
      return Math.abs(box.angle) < limits.steep ? both : [...both, ...both.map(backward)];
    }),
  );

const stripOf = (grey: GreyImage, { x, y, width, height, angle }: TextBox, growth: number): GreyImage => {
  const u = x * Math.cos(angle) + y * Math.sin(angle);
  const across = y * Math.cos(angle) - x * Math.sin(angle);
  const band = { from: u - width / 2, to: u + width / 2, across, pivot: u, height, tilt: 0 };
  return cropLine(grey, angle, band, height * growth);
};

/** The strip rotated by 180 degrees. */
const backward = (strip: GreyImage): GreyImage => ({ ...strip, data: strip.data.toReversed() });

/** The strip at that height, by means of its pixels; a lower strip stays as it is. */
const lowered = (strip: GreyImage, height: number): GreyImage => {
  const scale = strip.height / height;
  if (scale <= 1) return strip;
  const width = Math.max(1, Math.round(strip.width / scale));
  const data = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) data[y * width + x] = meanIn(strip, x * scale, y * scale, scale);
  }
  return { width, height, data };
};

const meanIn = ({ width, height, data }: GreyImage, x: number, y: number, size: number): number => {
  const left = Math.floor(x);
  const right = Math.min(width, Math.ceil(x + size));
  const bottom = Math.min(height, Math.ceil(y + size));
  let sum = 0;
  let count = 0;
  for (let row = Math.floor(y); row < bottom; row++) {
    for (let at = row * width + left, end = row * width + right; at < end; at++) {
      sum += data[at]!;
      count++;
    }
  }
  return count === 0 ? 255 : sum / count;
};

const asColour = ({ width, height, data }: GreyImage): Image => {
  const colour = new Uint8Array(3 * data.length);
  for (let y = 0; y < height; y++) writeThrice(colour, data, y * width, (y + 1) * width);
  return { width, height, data: colour };
};

const writeThrice = (colour: Uint8Array, data: Uint8Array, from: number, to: number): void => {
  for (let i = from, at = 3 * from; i < to; i++, at += 3) {
    const value = data[i]!;
    colour[at] = value;
    colour[at + 1] = value;
    colour[at + 2] = value;
  }
};
