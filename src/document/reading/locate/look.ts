import type { Image, Imaging, Quad } from "#imaging/image";
import { agreementOf, mapOfRegion } from "./agreement.ts";
import type { CardMaps, ReadCardMaps } from "./card-maps.ts";
import { orderCorners, scaleCorners } from "./geometry.ts";
import { cardScore, type LocatedCard } from "./located-card.ts";
import { quadOfRegion } from "./map-quad.ts";
import { findRegions, meetsFrame, type Region } from "./map-regions.ts";
import { refitQuad } from "./refit.ts";
import { shrinkTo } from "./shrink.ts";

/** Longer side in pixels of the image whose edges refine the corners. */
const refitSide = 1024;

/**
 * Agreement of a quadrilateral with the card map from which on it is trusted, and the score of a full point more: of 560 drawn photographs
 * 280 were trusted, and 278 of them right; 346 were usable, and 337 of them right (docs/measurements/documents.md).
 */
const trustedAgreement = 0.95;
const scorePerAgreement = 10;

/** An image as the card network sees it. */
export type Look = {
  readonly image: Image;
  readonly maps: CardMaps;
  /** The regions that the network takes for cards, the largest first. */
  readonly regions: readonly Region[];
  /** The card of the largest region, when the network's own border is usable. */
  readonly card: LocatedCard | undefined;
  /** Fits corners to the image's edges. */
  readonly fit: (rough: Quad) => Quad;
};

/** The score of a quadrilateral that agrees this much, 0…1, with the card map: 1 is trusted. */
export const scoreOfAgreement = (agreement: number): number =>
  cardScore.trusted + scorePerAgreement * (agreement - trustedAgreement);

/**
 * Looks at an image of any size. The card is the ridge of the network's border map, fitted to the image's edges. A
 * region that the frame cuts has no border there, so it gives no card. Corners are in pixels of the image.
 */
export const makeLookAt =
  (imaging: Pick<Imaging, "resize">, readCardMaps: ReadCardMaps) =>
  async (image: Image): Promise<Look> => {
    const maps = await readCardMaps(image);
    const regions = findRegions(maps);
    const large = await shrinkTo(imaging, image, refitSide);
    const fit = (rough: Quad): Quad => {
      const fine = refitQuad(
        large,
        scaleCorners(rough, large.width / image.width, large.height / image.height),
      );
      return orderCorners(scaleCorners(fine, image.width / large.width, image.height / large.height));
    };
    const [across, down] = [maps.columns / image.width, maps.rows / image.height];
    const ownCard = (region: Region): LocatedCard | undefined => {
      const ridge = quadOfRegion(region, maps);
      if (ridge === undefined) return undefined;
      const quad = fit(scaleCorners(ridge, 1 / across, 1 / down));
      const map = mapOfRegion(maps, region, regions);
      const score = scoreOfAgreement(agreementOf(scaleCorners(quad, across, down), map, maps.columns));
      return score >= cardScore.usable ? { quad, score } : undefined;
    };
    const [region] = regions;
    const isWhole = region !== undefined && !meetsFrame(region, maps);
    return { image, maps, regions, card: isWhole ? ownCard(region) : undefined, fit };
  };
