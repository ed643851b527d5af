import type { Box, Image, Imaging, Quad } from "#imaging/image";
import type { ReadCardMaps } from "./card-maps.ts";
import { chooseResult, cropAround } from "./closer-search.ts";
import { countOthers } from "./count-others.ts";
import { isInside, orderCorners, scaleCorners, shiftCorners } from "./geometry.ts";
import { colourGradient } from "./gradient.ts";
import { cardScore, type LocatedCard } from "./located-card.ts";
import { scoreQuad } from "./quad-search.ts";
import type { ReadCorners } from "./read-corners.ts";
import { refitQuad } from "./refit.ts";
import { searchView } from "./search-view.ts";

/**
 * Longer sides in pixels of the two working images: 384 finds most cards (98 of 125; 320 px: 86, 512 px: 97).
 */
const searchSide = 384;
const refitSide = 1024;
/** How many regions get a closer search when there are several. */
const partsMax = 3;

/**
 * Locates the card of a photograph by its straight borders (docs/measurements/documents.md); `cardScore`
 * explains the scores.
 */
export type FindQuad = (image: Image) => Promise<LocatedCard | undefined>;

/**
 * Makes the card locator. It resolves with undefined when the image shows nothing like a card, and never
 * fails on content. Corners of an added network count when the image's edges confirm them; else the card is
 * searched without them. A card without reliable lines gets a closer search, and so does each of several
 * cards.
 */
export const makeFindQuad = (
  imaging: Pick<Imaging, "resize" | "crop">,
  readCardMaps: ReadCardMaps,
  readCorners?: ReadCorners,
): FindQuad => {
  const search = makeSearch(imaging, readCardMaps);
  return async (image) => {
    const stated = await readCorners?.(image);
    const fitted = stated && (await fitStated(imaging, image, stated));
    if (fitted !== undefined && fitted.score >= cardScore.usable) {
      return fitted;
    }
    const { card, isReliable, parts } = await search(image);
    const searchPart = async (part: Box | undefined): Promise<LocatedCard | undefined> => {
      const seen = part && (await search(imaging.crop(image, part))).card;
      return seen && { ...seen, quad: shiftCorners(seen.quad, part.x, part.y) };
    };
    const closer: (LocatedCard | undefined)[] = [];
    for (const part of isReliable && !parts.some(isOutside(card)) ? [] : parts)
      closer.push(await searchPart(part));
    const [again] = closer;
    const chosen = isReliable || again === undefined ? card : chooseResult(card, again);
    const others = countOthers(closer);
    return others === 0 || chosen === undefined ? chosen : { ...chosen, others };
  };
};

/** Whether the centre of a part of the image is outside a card: portraits and barcodes are inside it. */
const isOutside =
  (card: LocatedCard | undefined) =>
  (part: Box | undefined): boolean =>
    part !== undefined &&
    (card === undefined || !isInside(card.quad, [part.x + part.width / 2, part.y + part.height / 2]));

type SearchResult = {
  readonly card: LocatedCard | undefined;
  readonly isReliable: boolean;
  /** Crops around the regions that the network takes for cards: each may get a closer search. */
  readonly parts: readonly (Box | undefined)[];
};

/** Searches an image. */
const makeSearch =
  (imaging: Pick<Imaging, "resize">, readCardMaps: ReadCardMaps) =>
  async (image: Image): Promise<SearchResult> => {
    const small = await shrink(imaging, image, searchSide);
    const maps = await readCardMaps(image);
    const { card, isReliable, regions } = searchView(small, maps);
    const parts = regions.slice(0, partsMax).map((region) => cropAround(region, maps, image));
    if (card === undefined) {
      return { card, isReliable, parts };
    }
    const coarse = scaleCorners(card.quad, image.width / small.width, image.height / small.height);
    const quad = orderCorners(await refitIn(imaging, image, coarse));
    return { card: { quad, score: card.score }, isReliable, parts };
  };

/** Fits stated corners to the image's edges, and scores the result with the line search. */
const fitStated = async (
  imaging: Pick<Imaging, "resize">,
  image: Image,
  stated: Quad,
): Promise<LocatedCard> => {
  const quad = await refitIn(imaging, image, stated);
  const small = await shrink(imaging, image, searchSide);
  const onSmall = scaleCorners(quad, small.width / image.width, small.height / image.height);
  return { quad: orderCorners(quad), score: scoreQuad(onSmall, colourGradient(small)) ?? 0 };
};

/** The corners, in pixels of the image, fitted to its edges. */
const refitIn = async (imaging: Pick<Imaging, "resize">, image: Image, quad: Quad): Promise<Quad> => {
  const large = await shrink(imaging, image, refitSide);
  const fine = refitQuad(large, scaleCorners(quad, large.width / image.width, large.height / image.height));
  return scaleCorners(fine, image.width / large.width, image.height / large.height);
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
