import type { Box, Image, Imaging, Quad } from "#machine/imaging/image";
import { isInside } from "../locate/geometry.ts";
import { frameQuad } from "../upright.ts";
import { type ColourSpread, colourFrame, measureColourSpread } from "./colour-spread.ts";
import { type GridPattern, measureGridPattern } from "./grid-pattern.ts";
import { type InkDifference, measureInk } from "./ink.ts";
import { measurePortraitTrace, type PortraitTrace } from "./portrait-trace.ts";
import { type CardRim, measureCardRim } from "./rim.ts";

/** The measured attack traces of one side, before any judgement. A trace without a measurement is absent. */
export type AttackMeasurement = {
  /** Colours of the whole card. Absent without a located card, unless the document fills the frame. */
  readonly colour?: ColourSpread;
  /** Around the portrait, independent of the card outline. */
  readonly portraitColour?: ColourSpread;
  /** Absent for an image too large for its full resolution. */
  readonly pattern?: GridPattern;
  /** Absent without a located card. */
  readonly rim?: CardRim;
  readonly portrait?: PortraitTrace;
  readonly ink?: InkDifference;
};

/** A side with the results of the readers. */
export type AttackedSide = {
  /** The decoded image at full resolution; `isWhole` is false where it is too large for that. */
  readonly native: Image;
  readonly isWhole: boolean;
  /**
   * The card in pixels of `native`, or the whole frame; the upper left corner of the upright card comes
   * first.
   */
  readonly area: Quad;
  readonly isLocated: boolean;
  /** A probable card in pixels of `native`, not certain enough for a reading of its own. */
  readonly outline?: Quad;
  /** The side upright: the card, or the whole frame. */
  readonly upright: Image;
  /** Place of the main portrait, in pixels of `upright`. */
  readonly portrait?: Box;
  /** Width of the MRZ as a share of the frame width; 0 without an MRZ. */
  readonly mrzShare: number;
  /** Printed lines, boxes as shares of `upright`. */
  readonly lines: readonly { readonly box: Box }[];
};

type Deps = Pick<Imaging, "rectify" | "toGrey">;

/** Measures every possible trace of the side. Pure; some 100 ms for a side of 12 MP. */
export const measureAttack = (imaging: Deps, side: AttackedSide): AttackMeasurement => {
  const colour = colourOfCard(imaging, side);
  const portraitColour = colourOfPortrait(imaging, side);
  const pattern = side.isWhole ? measureGridPattern(side.native, boxOf(side.area)) : undefined;
  const portrait = portraitTraceOf(side);
  const ink = measureInk(imaging.toGrey(side.upright), side.lines);
  return {
    ...(colour && { colour }),
    ...(portraitColour && { portraitColour }),
    ...(pattern && { pattern }),
    ...(side.isLocated && { rim: measureCardRim(side.native, side.area) }),
    ...(portrait && { portrait }),
    ...(ink && { ink }),
  };
};

const { width: colourWidth, aspect, inset } = colourFrame;
const colourHeight = Math.round(colourWidth / aspect);

/**
 * Without a located card, most of the frame may be a table, whose colour is no evidence. The probable outline
 * counts where the portrait lies within it. The frame counts only where the document fills it, as MRZ or
 * portrait show.
 */
const colourOfCard = (imaging: Deps, side: AttackedSide): ColourSpread | undefined => {
  const measure = (image: Image, quad: Quad): ColourSpread | undefined =>
    measureColourSpread(imaging.rectify(image, quad, colourWidth, colourHeight, -inset));
  const { upright, native, outline } = side;
  if (!side.isLocated && outline !== undefined && holdsPortrait(side, outline)) {
    return measure(native, outline);
  }
  return side.isLocated || fillsFrame(side) ? measure(upright, frameQuad(upright)) : undefined;
};

const holdsPortrait = ({ area, upright, portrait }: AttackedSide, outline: Quad): boolean =>
  portrait !== undefined &&
  isInside(
    outline,
    placeIn(
      area,
      (portrait.x + portrait.width / 2) / upright.width,
      (portrait.y + portrait.height / 2) / upright.height,
    ),
  );

/**
 * An MRZ has nearly the width of the document; a face has some 16 % of the width of a data page, 20 % of a
 * card.
 */
const mrzShareMin = 0.75;
const faceShareMin = 0.15;

const fillsFrame = ({ upright, portrait, mrzShare }: AttackedSide): boolean =>
  mrzShare >= mrzShareMin || (portrait !== undefined && portrait.width >= faceShareMin * upright.width);

/**
 * A detector may return any box, and no face is this many times higher than wide: its copy would have no
 * bound.
 */
const surroundingsRatioMax = 4;

/** The portrait and its surroundings, in widths and heights of the face, always within the document. */
const colourOfPortrait = (imaging: Deps, { upright, portrait }: AttackedSide): ColourSpread | undefined => {
  if (portrait === undefined) return undefined;
  const { x, y, width, height } = portrait;
  const [left, right] = [x - 0.6 * width, x + 1.6 * width];
  const [top, bottom] = [y - 0.6 * height, y + 1.5 * height];
  const ratio = (bottom - top) / (right - left);
  if (!(ratio <= surroundingsRatioMax)) return undefined;
  const around: Quad = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
  return measureColourSpread(imaging.rectify(upright, around, colourWidth, Math.round(colourWidth * ratio)));
};

const portraitTraceOf = (side: AttackedSide): PortraitTrace | undefined => {
  const { portrait, upright, native, area } = side;
  if (portrait === undefined || !side.isWhole) return undefined;
  const [left, right] = [portrait.x - 0.25 * portrait.width, portrait.x + 1.25 * portrait.width];
  const [top, bottom] = [portrait.y - 0.4 * portrait.height, portrait.y + 1.3 * portrait.height];
  const place = (x: number, y: number) => placeIn(area, x / upright.width, y / upright.height);
  const inner = boxOf([place(left, top), place(right, top), place(right, bottom), place(left, bottom)]);
  return measurePortraitTrace(native, boxOf(area), inner);
};

/** Bilinear between the corners; exact enough for an area. */
const placeIn = ([a, b, c, d]: Quad, s: number, t: number): Quad[number] => {
  const between = (i: 0 | 1): number =>
    (a[i] * (1 - s) + b[i] * s) * (1 - t) + (d[i] * (1 - s) + c[i] * s) * t;
  return [between(0), between(1)];
};

const boxOf = (quad: Quad): Box => {
  const [xs, ys] = [quad.map(([x]) => x), quad.map(([, y]) => y)];
  const [x, y] = [Math.min(...xs), Math.min(...ys)];
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y };
};
