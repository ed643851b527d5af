import type { Image, Point, Quad } from "#machine/imaging/image";
import { distance, isInside, pointBetween, pointIn } from "./locate/geometry.ts";
import { isDataPageFormat } from "./mrz/formats.ts";
import type { MrzReading } from "./mrz/reading.ts";
import { type FoundFace, portraitShareMin, reliableScore } from "./portrait.ts";

/**
 * An upright image with the corners that it was cut from, in one coordinate system of all the images that are
 * compared.
 */
export type Cut = { readonly image: Pick<Image, "width" | "height">; readonly corners: Quad };

/**
 * The page around an MRZ that stands on the portrait's page, in lengths of the MRZ's lines (ICAO Doc 9303-4,
 * 9303-6, 9303-7: a TD3 page of 125 × 88 mm has lines of 112 mm, 6.5 mm from its sides; its upper edge is 68
 * mm above them, its lower edge 8 mm below). Each has some millimetres more. Undefined for every other MRZ.
 */
export const pageOf = (mrz: MrzReading | undefined): Quad | undefined => {
  if (mrz === undefined || !mrz.accepted || !isDataPageFormat(mrz.format)) return undefined;
  const [topLeft, topRight, bottomRight, bottomLeft] = mrz.quad;
  const across: Point = [topRight[0] - topLeft[0], topRight[1] - topLeft[1]];
  const down: Point = [-across[1], across[0]];
  const from = ([x, y]: Point, right: number, below: number): Point => [
    x + across[0] * right + down[0] * below,
    y + across[1] * right + down[1] * below,
  ];
  return [
    from(topLeft, -beside, -above),
    from(topRight, beside, -above),
    from(bottomRight, beside, below),
    from(bottomLeft, -beside, below),
  ];
};

const beside = 0.1;
const above = 0.7;
const below = 0.15;

const placeOf = ({ box: { x, y, width, height } }: FoundFace, { image, corners }: Cut) => {
  const at = (left: number, top: number): Point => pointIn(corners, [left / image.width, top / image.height]);
  const [left, right] = [at(x, y + height / 2), at(x + width, y + height / 2)];
  return { middle: pointBetween(left, right, 0.5), width: distance(left, right) };
};

/** The faces whose middle is inside the outline. */
export const facesInside = (
  faces: readonly FoundFace[],
  cut: Cut,
  outline: Quad | undefined,
): readonly FoundFace[] =>
  outline === undefined ? faces : faces.filter((face) => isInside(outline, placeOf(face, cut).middle));

/**
 * Counts the faces beside a document that are nearly as large as its portrait, or larger: each may be taken
 * for the holder's. Ghost images stand inside the outline.
 */
export const countFacesBeside = (
  faces: readonly FoundFace[],
  whole: Cut,
  outline: Quad,
  [portrait, side]: readonly [FoundFace, Cut],
): number => {
  const own = placeOf(portrait, side);
  return faces
    .filter(({ score }) => score >= reliableScore)
    .map((face) => placeOf(face, whole))
    .filter(({ middle, width }) => !isInside(outline, middle) && width >= portraitShareMin * own.width)
    .length;
};
