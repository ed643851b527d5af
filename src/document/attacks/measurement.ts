import type { Box, Image, Imaging, Quad } from "#imaging/image";
import { isInside } from "../locate/geometry.ts";
import { frameQuad } from "../upright.ts";
import { type ColourSpread, colourFrame, measureColourSpread } from "./colour-spread.ts";
import { type GridPattern, measureGridPattern } from "./grid-pattern.ts";
import { type InkDifference, measureInk } from "./ink.ts";
import { measurePortraitTrace, type PortraitTrace } from "./portrait-trace.ts";
import { type CardRim, measureCardRim } from "./rim.ts";

/** What one side shows of the traces that attacks leave, before any judging; absent is what could not be measured. */
export type AttackMeasurement = {
  /** Of the whole card; absent where it was not located and the document does not fill the frame. */
  readonly colour?: ColourSpread;
  /** Around the portrait, which a wrong outline of the card does not move. */
  readonly portraitColour?: ColourSpread;
  /** Absent where the picture was too large to be seen at its own resolution. */
  readonly pattern?: GridPattern;
  /** Absent without a located card. */
  readonly rim?: CardRim;
  readonly portrait?: PortraitTrace;
  readonly ink?: InkDifference;
};

/** A side as the readers found it. */
export type AttackedSide = {
  /** The picture at its own resolution; `isWhole` false where it was too large for that. */
  readonly native: Image;
  readonly isWhole: boolean;
  /** The card in pixels of `native`, or the whole frame; its upper left corner as it is read comes first. */
  readonly area: Quad;
  readonly isLocated: boolean;
  /** In pixels of `native`, where a card is probable that was too unsure to be read by itself. */
  readonly outline?: Quad;
  /** The side upright: the card, or the whole frame. */
  readonly upright: Image;
  /** Of the main portrait, in pixels of `upright`. */
  readonly portrait?: Box;
  /** Width of the machine readable zone as a share of the frame's width; 0 without one. */
  readonly zoneShare: number;
  /** Printed lines, boxes as shares of `upright`. */
  readonly lines: readonly { readonly box: Box }[];
};

type Eyes = Pick<Imaging, "rectify" | "toGrey">;

/** Measures every trace that the side can show. Pure but for the time it takes: some 100 ms for a side of 12 MP. */
export const measureAttack = (imaging: Eyes, side: AttackedSide): AttackMeasurement => {
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
 * A card that was not located may lie small on a table, whose colour says nothing. Its probable outline is taken where the
 * portrait lies within; the frame stands for it only where the document fills it, as its zone or its portrait tells.
 */
const colourOfCard = (imaging: Eyes, side: AttackedSide): ColourSpread | undefined => {
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

/** A zone runs along nearly the whole document; the face on a data page is some 16 % of its width, on a card 20 %. */
const zoneShareMin = 0.75;
const faceShareMin = 0.15;

const fillsFrame = ({ upright, portrait, zoneShare }: AttackedSide): boolean =>
  zoneShare >= zoneShareMin || (portrait !== undefined && portrait.width >= faceShareMin * upright.width);

/** The portrait and what lies beside it, in widths and heights of the face: never beyond a document's border. */
const colourOfPortrait = (imaging: Eyes, { upright, portrait }: AttackedSide): ColourSpread | undefined => {
  if (portrait === undefined) return undefined;
  const { x, y, width, height } = portrait;
  const [left, right] = [x - 0.6 * width, x + 1.6 * width];
  const [top, bottom] = [y - 0.6 * height, y + 1.5 * height];
  const around: Quad = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
  return measureColourSpread(
    imaging.rectify(
      upright,
      around,
      colourWidth,
      Math.round((colourWidth * (bottom - top)) / (right - left)),
    ),
  );
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

/** Between the corners in proportion; exact enough for an area. */
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
