import type { Box, Image, Imaging, Quad } from "#imaging/image";
import type { ReadCardMaps } from "./card-maps.ts";
import { chooseLook, surroundingsOf } from "./closer-look.ts";
import { countOthers } from "./count-others.ts";
import { isInside, orderCorners, scaleCorners, shiftCorners } from "./geometry.ts";
import { colourGradient } from "./gradient.ts";
import { scoreQuad } from "./quad-search.ts";
import type { ReadCorners } from "./read-corners.ts";
import { refitQuad } from "./refit.ts";
import { searchView } from "./search-view.ts";

/** A card in a photograph. Corners in pixels of the given picture, clockwise from the one nearest to top-left. */
export type LocatedCard = {
  readonly quad: Quad;
  readonly score: number;
  /** Further cards that lie apart from it; absent where none was seen. */
  readonly others?: number;
};

/**
 * From `trusted` on 79 of 79 real frames were right: such a card replaces the frame for all that follows. From `usable`
 * on 105 of 106: it does so only with something of a document inside. From `probable` on its colour counts where a portrait lies
 * within, and nothing else.
 */
export const cardScore = { trusted: 1, usable: 0.8, probable: 0.6 } as const;

/** Whether a card was located so surely that its corners speak for themselves. */
export const isTrusted = <Card extends { readonly score: number }>(card: Card | undefined): card is Card =>
  card !== undefined && card.score >= cardScore.trusted;

/** Longer sides in pixels of the two working pictures: 384 finds most cards (98 of 125; 320 px: 86, 512 px: 97). */
const searchSide = 384;
const refitSide = 1024;
/** Regions that are looked at from nearby where there are several. */
const partsMax = 3;

/** Locates the card of a photograph by its straight borders (docs/measurements.md); `cardScore` says what a score is. */
export type FindQuad = (image: Image) => Promise<LocatedCard | undefined>;

/**
 * Resolves with undefined where nothing card-like stands in the picture; never fails on content. Corners of an added network are
 * taken where the picture's own edges bear them out, else the card is searched as without them. What was found without sure
 * lines is looked at once more from nearby, and so is each of several cards.
 */
export const makeFindQuad = (
  imaging: Pick<Imaging, "resize" | "crop">,
  readCardMaps: ReadCardMaps,
  readCorners?: ReadCorners,
): FindQuad => {
  const look = makeLook(imaging, readCardMaps);
  return async (image) => {
    const stated = await readCorners?.(image);
    const borne = stated && (await judgeStated(imaging, image, stated));
    if (borne !== undefined && borne.score >= cardScore.usable) {
      return borne;
    }
    const { card, isSure, parts } = await look(image);
    const lookAt = async (part: Box | undefined): Promise<LocatedCard | undefined> => {
      const seen = part && (await look(imaging.crop(image, part))).card;
      return seen && { ...seen, quad: shiftCorners(seen.quad, part.x, part.y) };
    };
    const nearby: (LocatedCard | undefined)[] = [];
    for (const part of isSure && !parts.some(liesOutside(card)) ? [] : parts) nearby.push(await lookAt(part));
    const [again] = nearby;
    const chosen = isSure || again === undefined ? card : chooseLook(card, again);
    const others = countOthers(nearby);
    return others === 0 || chosen === undefined ? chosen : { ...chosen, others };
  };
};

/** Whether a part of the picture has its middle beside a card: a portrait and a symbol lie on it. */
const liesOutside =
  (card: LocatedCard | undefined) =>
  (part: Box | undefined): boolean =>
    part !== undefined &&
    (card === undefined || !isInside(card.quad, [part.x + part.width / 2, part.y + part.height / 2]));

type Look = {
  readonly card: LocatedCard | undefined;
  readonly isSure: boolean;
  /** Around what the network takes for cards: each may be looked at from nearby. */
  readonly parts: readonly (Box | undefined)[];
};

/** Searches a picture. */
const makeLook =
  (imaging: Pick<Imaging, "resize">, readCardMaps: ReadCardMaps) =>
  async (image: Image): Promise<Look> => {
    const small = await shrink(imaging, image, searchSide);
    const maps = await readCardMaps(image);
    const { card, isSure, regions } = searchView(small, maps);
    const parts = regions.slice(0, partsMax).map((region) => surroundingsOf(region, maps, image));
    if (card === undefined) {
      return { card, isSure, parts };
    }
    const large = await shrink(imaging, image, refitSide);
    const coarse = scaleCorners(card.quad, large.width / small.width, large.height / small.height);
    const fine = refitQuad(large, coarse);
    const quad = orderCorners(scaleCorners(fine, image.width / large.width, image.height / large.height));
    return { card: { quad, score: card.score }, isSure, parts };
  };

/** Corners as shares, laid on the picture's edges, and what the search for lines thinks of them. */
const judgeStated = async (
  imaging: Pick<Imaging, "resize">,
  image: Image,
  stated: Quad,
): Promise<LocatedCard> => {
  const large = await shrink(imaging, image, refitSide);
  const fine = refitQuad(large, scaleCorners(stated, large.width, large.height));
  const shares = scaleCorners(fine, 1 / large.width, 1 / large.height);
  const small = await shrink(imaging, image, searchSide);
  const score = scoreQuad(scaleCorners(shares, small.width, small.height), colourGradient(small));
  return { quad: orderCorners(scaleCorners(shares, image.width, image.height)), score: score ?? 0 };
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
