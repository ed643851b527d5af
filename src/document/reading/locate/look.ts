import type { Image, Imaging, Quad } from "#imaging/image";
import { agreementOf, mapOfRegion } from "./agreement.ts";
import type { CardMaps, ReadCardMaps } from "./card-maps.ts";
import { orderCorners, scaleCorners } from "./geometry.ts";
import { quadOfRegion } from "./map-quad.ts";
import { findRegions, type Region } from "./map-regions.ts";
import { refitQuad } from "./refit.ts";

/** Longer side in pixels of the image whose edges refine the corners. */
const refitSide = 1024;

/** A quadrilateral, and how much it agrees with the network's map, 0…1. */
export type SeenCard = { readonly quad: Quad; readonly agreement: number };

/** An image as the card network sees it. */
export type Look = {
  readonly maps: CardMaps;
  /** The regions that the network takes for cards, the largest first. */
  readonly regions: readonly Region[];
  /** The card of the largest region. */
  readonly card: SeenCard | undefined;
  /** Fits corners to the image's edges, and compares them with the region with which they agree most. */
  readonly fit: (rough: Quad) => SeenCard;
};

/** Looks at an image of any size. Corners are in its pixels. */
export const makeLookAt =
  (imaging: Pick<Imaging, "resize">, readCardMaps: ReadCardMaps) =>
  async (image: Image): Promise<Look> => {
    const maps = await readCardMaps(image);
    const regions = findRegions(maps);
    const large = await shrink(imaging, image);
    const cardMaps = regions.map((region) => mapOfRegion(maps, region, regions));
    const fit = (rough: Quad): SeenCard => {
      const [across, down] = [large.width / image.width, large.height / image.height];
      const fine = refitQuad(large, scaleCorners(rough, across, down));
      const onGrid = scaleCorners(fine, maps.columns / large.width, maps.rows / large.height);
      const agreements = cardMaps.map((map) => agreementOf(onGrid, map, maps.columns));
      const quad = orderCorners(scaleCorners(fine, 1 / across, 1 / down));
      return { quad, agreement: Math.max(0, ...agreements) };
    };
    const [region] = regions;
    const onGrid = region && quadOfRegion(region, maps);
    const rough = onGrid && scaleCorners(onGrid, image.width / maps.columns, image.height / maps.rows);
    return { maps, regions, card: rough && fit(rough), fit };
  };

const shrink = async (imaging: Pick<Imaging, "resize">, image: Image): Promise<Image> => {
  const scale = refitSide / Math.max(image.width, image.height);
  if (scale >= 1) {
    return image;
  }
  const width = Math.max(8, Math.round(image.width * scale));
  const height = Math.max(8, Math.round(image.height * scale));
  return await imaging.resize(image, width, height);
};
