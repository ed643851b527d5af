import type { Image, Imaging, Quad } from "#imaging/image";
import type { CardMaps, ReadCardMaps } from "./card-maps.ts";
import { gaussianBlur } from "./gaussian-blur.ts";
import { orderCorners, scaleCorners } from "./geometry.ts";
import { colourGradient, type Gradient } from "./gradient.ts";
import { makeGuide } from "./guided-search.ts";
import { findRegions, type Region } from "./map-regions.ts";
import { type ScoredQuad, scoreQuad, searchQuad } from "./quad-search.ts";
import type { ReadCorners } from "./read-corners.ts";
import { refitQuad } from "./refit.ts";

/** A card in a photograph. Corners in pixels of the given picture, clockwise from the one nearest to top-left. */
export type LocatedCard = { readonly quad: Quad; readonly score: number };

/**
 * From `trusted` on 78 of 78 real frames were right: such a card replaces the frame for all that follows. From `usable`
 * on 90 of 92: it does so only with something of a document inside.
 */
export const cardScore = { trusted: 1, usable: 0.8 } as const;

/** Longer sides in pixels of the two working pictures: 384 finds most cards (98 of 125; 320 px: 86, 512 px: 97). */
const searchSide = 384;
const refitSide = 1024;
const votesMin = 0.08;
/** Below this score the picture is searched again without its fine texture. */
const secondPassBelow = 1;
const secondVotesMin = 0.05;
const secondBlurPx = 2.5;
/** A rectangle of lines is taken from the one score on as it is, from the other on where the network's card covers it by so much. */
const plainSure = 1.1;
const plainSeen = 0.9;
const agreementMin = 0.6;
/** Onto the scale of the lines' score; what only the maps lead to is usable, never trusted; what lines alone show, neither. */
const guidedScale = 0.35;
const guidedScoreMax = 0.95;
const unseenScoreMax = 0.75;

/** Locates the card of a photograph by its straight borders (docs/measurements.md); `cardScore` says what a score is. */
export type FindQuad = (image: Image) => Promise<LocatedCard | undefined>;

/**
 * Resolves with undefined where nothing card-like stands in the picture; never fails on content. Corners of an added network are
 * taken where the picture's own edges bear them out, else the card is searched as without them.
 */
export const makeFindQuad =
  (imaging: Pick<Imaging, "resize">, readCardMaps: ReadCardMaps, readCorners?: ReadCorners): FindQuad =>
  async (image) => {
    const small = await shrink(imaging, image, searchSide);
    const stated = await readCorners?.(image);
    if (stated !== undefined) {
      const large = await shrink(imaging, image, refitSide);
      const card = judgeStated(stated, small, large);
      if (card.score >= cardScore.usable) {
        return { quad: orderCorners(scaleCorners(card.quad, image.width, image.height)), score: card.score };
      }
    }
    const maps = await readCardMaps(image);
    const regions = findRegions(maps);
    const found = searchBoth(small, maps, regions);
    if (found === undefined) {
      return undefined;
    }
    const large = await shrink(imaging, image, refitSide);
    const coarse = scaleCorners(found.quad, large.width / small.width, large.height / small.height);
    const fine = refitQuad(large, coarse);
    const quad = orderCorners(scaleCorners(fine, image.width / large.width, image.height / large.height));
    return { quad, score: found.score };
  };

/** Corners as shares, laid on the picture's edges, and what the search for lines thinks of them. */
const judgeStated = (stated: Quad, small: Image, large: Image): ScoredQuad => {
  const fine = refitQuad(large, scaleCorners(stated, large.width, large.height));
  const quad = scaleCorners(fine, 1 / large.width, 1 / large.height);
  const score = scoreQuad(scaleCorners(quad, small.width, small.height), colourGradient(small));
  return { quad, score: score ?? 0 };
};

/**
 * The strongest rectangle of the picture where the network sees a card there too; else what the network's maps lead to. Lines
 * alone, where the network sees no card at all, are never usable.
 */
const searchBoth = (image: Image, maps: CardMaps, regions: readonly Region[]): ScoredQuad | undefined => {
  const gradient = colourGradient(image);
  const plain = searchTwice(image, gradient);
  const [region] = regions;
  if (region === undefined) {
    return plain && { ...plain, score: Math.min(plain.score, unseenScoreMax) };
  }
  const { agreement, search } = makeGuide({ image, gradient, maps, regions }, region);
  if (plain !== undefined && isTaken(plain, agreement)) {
    return plain;
  }
  const guided = search();
  return guided && { ...guided, score: Math.min(guidedScoreMax, guided.score * guidedScale) };
};

const isTaken = ({ quad, score }: ScoredQuad, agreement: (quad: Quad) => number): boolean =>
  score >= plainSure || (score >= plainSeen && agreement(quad) >= agreementMin);

/** Printed ground and weave drown the border in edges: a blurred picture keeps only the large ones. */
const searchTwice = (image: Image, gradient: Gradient): ScoredQuad | undefined => {
  const first = searchQuad(gradient, votesMin);
  if (first !== undefined && first.score >= secondPassBelow) {
    return first;
  }
  const second = searchQuad(colourGradient(gaussianBlur(image, secondBlurPx)), secondVotesMin);
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
