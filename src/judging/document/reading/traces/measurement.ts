import type { Box, Image, Imaging, Quad } from "#machine/imaging/image";
import { isInside } from "../locate/geometry.ts";
import { frameQuad } from "../upright.ts";
import { type ColourSpread, colourFrame, measureColourSpread } from "./colour-spread.ts";
import { type CompressionHistory, measureCompressionHistory } from "./compression-history.ts";
import { type FineDetail, measureFineDetail } from "./fine-detail.ts";
import type { Ghost } from "./ghost.ts";
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
  /**
   * Absent without a portrait, for other files than JPEG, and for an image too large for its full resolution.
   */
  readonly history?: CompressionHistory;
  /** Absent without a portrait, and for a card with little detail. */
  readonly detail?: FineDetail;
  /** Absent without a second, smaller face beside the portrait. */
  readonly ghost?: Ghost;
  readonly ink?: InkDifference;
};

/** A side with the results of the readers. */
export type AttackedSide = {
  /** The decoded image at full resolution; `isWhole` is false where it is too large for that. */
  readonly native: Image;
  readonly isWhole: boolean;
  /** Steps of the file's luminance quantisation table, in zigzag order; absent for other files than JPEG. */
  readonly jpegSteps?: readonly number[];
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
  const history = historyOf(side);
  const grey = imaging.toGrey(side.upright);
  const detail =
    side.portrait &&
    measureFineDetail(grey, { portrait: portraitAround(side.portrait), face: side.portrait });
  const ink = measureInk(grey, side.lines);
  return {
    ...(colour && { colour }),
    ...(portraitColour && { portraitColour }),
    ...(pattern && { pattern }),
    ...(side.isLocated && { rim: measureCardRim(side.native, side.area) }),
    ...(portrait && { portrait }),
    ...(history && { history }),
    ...(detail && { detail }),
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

/** The portrait's image around a face, as far as every portrait reaches. */
const portraitAround = ({ x, y, width, height }: Box): Box => ({
  x: x - 0.25 * width,
  y: y - 0.4 * height,
  width: 1.5 * width,
  height: 1.7 * height,
});

/** The smallest upright box of the file's image that holds a box of the upright side. */
const boxInFile = ({ area, upright }: AttackedSide, { x, y, width, height }: Box): Box => {
  const place = (left: number, top: number) => placeIn(area, left / upright.width, top / upright.height);
  const [right, bottom] = [x + width, y + height];
  return boxOf([place(x, y), place(right, y), place(right, bottom), place(x, bottom)]);
};

const portraitTraceOf = (side: AttackedSide): PortraitTrace | undefined => {
  const { portrait, native, area } = side;
  if (portrait === undefined || !side.isWhole) return undefined;
  const [around, face] = [portraitAround(portrait), portrait].map((box) => boxInFile(side, box));
  return measurePortraitTrace(native, boxOf(area), around!, face);
};

const historyOf = (side: AttackedSide): CompressionHistory | undefined => {
  const { portrait, native, area, jpegSteps } = side;
  if (portrait === undefined || jpegSteps === undefined || !side.isWhole) return undefined;
  return measureCompressionHistory(native, jpegSteps, {
    card: boxOf(area),
    portrait: boxInFile(side, portraitAround(portrait)),
    face: boxInFile(side, portrait),
  });
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
