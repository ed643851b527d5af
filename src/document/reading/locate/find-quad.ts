import type { Box, Image, Imaging, Quad } from "#imaging/image";
import type { ReadCardMaps } from "./card-maps.ts";
import { chooseLook, chooseResult, cropAround, type LinesResult } from "./closer-search.ts";
import { countOthers } from "./count-others.ts";
import { isInside, scaleCorners, shiftCorners } from "./geometry.ts";
import { colourGradient } from "./gradient.ts";
import { cardScore, isTrusted, type LocatedCard } from "./located-card.ts";
import { type Look, makeLookAt } from "./look.ts";
import { scoreQuad } from "./quad-search.ts";
import type { ReadCorners } from "./read-corners.ts";
import { searchView } from "./search-view.ts";
import { shrinkTo } from "./shrink.ts";

/** Longer side in pixels of the image whose lines are searched: 384 finds most cards (98 of 125; 320 px: 86, 512 px: 97). */
const searchSide = 384;
/** How many regions get a closer search when there are several. */
const partsMax = 3;

/**
 * Locates the card of a photograph by its straight borders (docs/measurements/documents.md); `cardScore`
 * explains the scores.
 */
export type FindQuad = (image: Image) => Promise<LocatedCard | undefined>;

/** A closer look at a part of an image. */
type NearLook = Look & { readonly part: Box };

/**
 * Makes the card locator. It resolves with undefined when the image shows nothing like a card, and never
 * fails on content. Corners of an added network count when the image's edges confirm them. Else the bundled network's own
 * border is the card, in the image or in a closer look; where it is not usable, straight lines are searched.
 */
export const makeFindQuad = (
  imaging: Pick<Imaging, "resize" | "crop">,
  readCardMaps: ReadCardMaps,
  readCorners?: ReadCorners,
): FindQuad => {
  const lookAt = makeLookAt(imaging, readCardMaps);
  const searchLines = makeSearchLines(imaging);
  const lookNear = async (image: Image, part: Box): Promise<NearLook> => ({
    ...(await lookAt(imaging.crop(image, part))),
    part,
  });
  const cardNear = async (look: NearLook): Promise<LocatedCard | undefined> => {
    const card = look.card ?? (await searchLines(look)).card;
    return inWhole(look, card);
  };
  return async (image) => {
    const look = await lookAt(image);
    const stated = await readCorners?.(image);
    const fitted = stated && (await fitStated(imaging, look, stated));
    if (fitted !== undefined && fitted.score >= cardScore.usable) {
      return fitted;
    }
    const parts = look.regions.slice(0, partsMax).map((region) => cropAround(region, look.maps, image));
    const looks: (NearLook | undefined)[] = [];
    for (const part of parts) looks.push(part && (await lookNear(image, part)));
    const [closer] = looks;
    const seen = chooseLook(look.card, closer && inWhole(closer, closer.card));
    const lines = seen === undefined ? await searchLines(look) : undefined;
    // Each part is searched once: for the card that no look shows, and for the number of cards.
    const isCounted = parts.length > 1 && (!isTrusted(seen) || parts.some(isOutside(seen)));
    const isSearched = isCounted || lines?.isReliable === false;
    const cards: (LocatedCard | undefined)[] = [];
    for (const each of isSearched ? looks : []) cards.push(each && (await cardNear(each)));
    const card = seen ?? (lines && chooseResult(lines, cards[0]));
    const others = isCounted ? countOthers(cards) : 0;
    return card && { ...card, ...(others > 0 && { others }) };
  };
};

/** The card of a part, in pixels of the whole image. */
const inWhole = ({ part }: NearLook, card: LocatedCard | undefined): LocatedCard | undefined =>
  card && { ...card, quad: shiftCorners(card.quad, part.x, part.y) };

/** Whether the centre of a part of the image is outside a card: portraits and barcodes are inside it. */
const isOutside =
  (card: LocatedCard) =>
  (part: Box | undefined): boolean =>
    part !== undefined && !isInside(card.quad, [part.x + part.width / 2, part.y + part.height / 2]);

/** Searches the card of an image by its straight lines. */
const makeSearchLines =
  (imaging: Pick<Imaging, "resize">) =>
  async (look: Look): Promise<LinesResult> => {
    const { image, fit } = look;
    const small = await shrinkTo(imaging, image, searchSide);
    const { card, isReliable } = searchView(small, look);
    if (card === undefined) return { card, isReliable };
    const coarse = scaleCorners(card.quad, image.width / small.width, image.height / small.height);
    return { card: { quad: fit(coarse), score: card.score }, isReliable };
  };

/** Fits stated corners to the image's edges, and scores the result with the line search. */
const fitStated = async (
  imaging: Pick<Imaging, "resize">,
  { image, fit }: Look,
  stated: Quad,
): Promise<LocatedCard> => {
  const quad = fit(stated);
  const small = await shrinkTo(imaging, image, searchSide);
  const onSmall = scaleCorners(quad, small.width / image.width, small.height / image.height);
  return { quad, score: scoreQuad(onSmall, colourGradient(small)) ?? 0 };
};
