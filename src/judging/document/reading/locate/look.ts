import type { Image, Imaging, Quad } from "#machine/imaging/image";
import { measuredSideMin, shrinkTo } from "../shrink.ts";
import { agreementOf, mapOfRegion } from "./agreement.ts";
import type { CardMaps, ReadCardMaps } from "./card-maps.ts";
import { orderCorners, scaleCorners } from "./geometry.ts";
import { cardScore, type LocatedCard } from "./located-card.ts";
import { quadOfRegion } from "./map-quad.ts";
import { findRegions, meetsFrame, type Region } from "./map-regions.ts";
import { refitQuad } from "./refit.ts";

/** Longer side in pixels of the image whose edges refine the corners. */
const refitSide = 1024;

/**
 * From this agreement on a quadrilateral is trusted. With the score below it is usable from 0.93 on
 * (docs/measurements/documents.md, Cards by situation).
 */
const trustedAgreement = 0.95;
/** How much the score rises when the agreement rises by 1. */
const scorePerAgreement = 10;

/** An image as the card network sees it. */
export type Look = {
  readonly image: Image;
  readonly maps: CardMaps;
  /** The regions that the network takes for cards, the largest first. */
  readonly regions: readonly Region[];
  /** Whether the frame cuts the largest region, so that its border is not whole. */
  readonly isCut: boolean;
  /** The card of the largest region, when its border is whole and usable. */
  readonly card: LocatedCard | undefined;
  /** Fits corners to the image's edges. */
  readonly fit: Fit;
};

export type Fit = (rough: Quad) => Promise<Quad>;

/**
 * Makes the function that fits corners to the edges of an image, in its pixels. The first fit shrinks the
 * image.
 */
export const makeFit = (imaging: Pick<Imaging, "resize">, image: Image): Fit => {
  let shrunk: Promise<Image> | undefined;
  return async (rough) => {
    shrunk ??= shrinkTo(imaging, image, refitSide, measuredSideMin);
    const large = await shrunk;
    const [across, down] = [large.width / image.width, large.height / image.height];
    const fine = refitQuad(large, scaleCorners(rough, across, down));
    return orderCorners(scaleCorners(fine, 1 / across, 1 / down));
  };
};

/** The score of a quadrilateral that agrees this much, 0…1, with the card map: 1 is trusted. */
export const scoreOfAgreement = (agreement: number): number =>
  cardScore.trusted + scorePerAgreement * (agreement - trustedAgreement);

/**
 * Looks at an image of any size. The card is the ridge of the network's border map, fitted to the image's
 * edges. Corners are in pixels of the image.
 */
export const makeLookAt =
  (imaging: Pick<Imaging, "resize">, readCardMaps: ReadCardMaps) =>
  async (image: Image): Promise<Look> => {
    const maps = await readCardMaps(image);
    const regions = findRegions(maps);
    const [region] = regions;
    const fit = makeFit(imaging, image);
    const isCut = region !== undefined && meetsFrame(region, maps);
    const look = { image, maps, regions, isCut, fit };
    return { ...look, card: region === undefined || isCut ? undefined : await ownCard(look, region) };
  };

/** The card at the network's own border around a region. */
const ownCard = async (
  { image, maps, regions, fit }: Omit<Look, "card">,
  region: Region,
): Promise<LocatedCard | undefined> => {
  const [across, down] = [maps.columns / image.width, maps.rows / image.height];
  const ridge = quadOfRegion(region, maps);
  if (ridge === undefined) return undefined;
  const quad = await fit(scaleCorners(ridge, 1 / across, 1 / down));
  const map = mapOfRegion(maps, region, regions);
  const score = scoreOfAgreement(agreementOf(scaleCorners(quad, across, down), map, maps.columns));
  return score >= cardScore.usable ? { quad, score } : undefined;
};
