import type { Image, Imaging, Quad } from "#imaging/image";
import { gaussianBlur } from "./gaussian-blur.ts";
import { orderCorners, scaleCorners } from "./geometry.ts";
import { searchQuad } from "./quad-search.ts";
import { refitQuad } from "./refit.ts";

/** A card in a photograph. Corners in pixels of the given picture, clockwise from the one nearest to top-left. */
export type LocatedCard = { readonly quad: Quad; readonly score: number };

/**
 * From `trusted` on 64 of 64 real frames were right: such a card replaces the frame for all that follows. From `usable`
 * on 92 %: it does so only with something of a document inside.
 */
export const cardScore = { trusted: 1.1, usable: 0.8 } as const;

/** Longer sides in pixels of the two working pictures: 384 finds most cards (98 of 125; 320 px: 86, 512 px: 97). */
const searchSide = 384;
const refitSide = 1024;
const votesMin = 0.08;
/** Below this score the picture is searched again without its fine texture. */
const secondPassBelow = 1;
const secondVotesMin = 0.05;
const secondBlurPx = 2.5;

/** Locates the card of a photograph by its straight borders (docs/measurements.md); `cardScore` says what a score is. */
export type FindQuad = (image: Image) => Promise<LocatedCard | undefined>;

/** Shape and errors: resolves with undefined where nothing card-like stands in the picture; never fails on content. */
export const makeFindQuad =
  (imaging: Pick<Imaging, "resize">): FindQuad =>
  async (image) => {
    const small = await shrink(imaging, image, searchSide);
    const found = searchTwice(small);
    if (found === undefined) {
      return undefined;
    }
    const large = await shrink(imaging, image, refitSide);
    const coarse = scaleCorners(found.quad, large.width / small.width, large.height / small.height);
    const fine = refitQuad(large, coarse);
    const quad = orderCorners(scaleCorners(fine, image.width / large.width, image.height / large.height));
    return { quad, score: found.score };
  };

/** Printed ground and weave drown the border in edges: a blurred picture keeps only the large ones. */
const searchTwice = (image: Image): LocatedCard | undefined => {
  const first = searchQuad(image, votesMin);
  if (first !== undefined && first.score >= secondPassBelow) {
    return first;
  }
  const second = searchQuad(gaussianBlur(image, secondBlurPx), secondVotesMin);
  if (first === undefined || second === undefined) {
    return first ?? second;
  }
  return second.score > first.score ? second : first;
};

const shrink = async (imaging: Pick<Imaging, "resize">, image: Image, longSide: number): Promise<Image> => {
  const scale = longSide / Math.max(image.width, image.height);
  if (scale >= 1) {
    return image;
  }
  const width = Math.max(8, Math.round(image.width * scale));
  const height = Math.max(8, Math.round(image.height * scale));
  return await imaging.resize(image, width, height);
};
