import type { Box, Image, Imaging, Quad } from "#machine/imaging/image";
import { measuredSideMin, shrinkTo } from "../shrink.ts";
import type { ReadCardMaps } from "./card-maps.ts";
import { chooseLook, chooseResult, cropAround } from "./closer-search.ts";
import { countOthers } from "./count-others.ts";
import { isInside, scaleCorners, shiftCorners } from "./geometry.ts";
import { colourGradient } from "./gradient.ts";
import { cardScore, isTrusted, type LocatedCard } from "./located-card.ts";
import { type Look, makeFit, makeLookAt } from "./look.ts";
import { scoreQuad } from "./quad-search.ts";
import type { ReadCorners } from "./read-corners.ts";
import { searchView, type ViewResult } from "./search-view.ts";

/**
 * Longer side in pixels of the image whose lines are searched: 384 finds most cards (98 of 125; 320 px: 86,
 * 512 px: 97).
 */
const searchSide = 384;
/** How many regions get a closer look when there are several. */
const partsMax = 3;

/** Locates the card of a photograph (docs/measurements/documents.md); `cardScore` explains the scores. */
export type FindQuad = (image: Image) => Promise<LocatedCard | undefined>;

/** A closer look at a part of an image. */
type NearLook = Look & { readonly part: Box };

/**
 * Makes the card locator. It resolves with undefined when the image shows nothing like a card, and never
 * fails on content. Corners of an added network count when the image's edges confirm them. Else the card is
 * the bundled network's own border, in the image or in a closer look. Where that is not usable, straight
 * lines are searched.
 */
export const makeFindQuad = (
  imaging: Pick<Imaging, "resize" | "crop">,
  readCardMaps: ReadCardMaps,
  readCorners?: ReadCorners,
): FindQuad => {
  const lookAt = makeLookAt(imaging, readCardMaps);
  const searchLines = makeSearchLines(imaging);
  const lookNear = async (image: Image, part: Box | undefined): Promise<NearLook | undefined> =>
    part && { ...(await lookAt(imaging.crop(image, part))), part };
  const cardNear = async (look: NearLook | undefined): Promise<LocatedCard | undefined> =>
    look && inWhole(look, look.card ?? (await searchLines(look)).card);
  return async (image) => {
    const stated = await readCorners?.(image);
    const fitted = stated && (await fitStated(imaging, image, stated));
    if (fitted !== undefined && fitted.score >= cardScore.usable) {
      return fitted;
    }
    const look = await lookAt(image);
    const parts = look.regions.slice(0, partsMax).map((region) => cropAround(region, look.maps, image));
    const [first, ...rest] = parts;
    // What the frame cuts is left to lines, also where a closer look would show a border.
    const closer = look.isCut ? undefined : await lookNear(image, first);
    const seen = chooseLook(look.card, closer && inWhole(closer, closer.card));
    const lines = seen === undefined ? await searchLines(look) : undefined;
    const found = lines?.isReliable ? lines.card : seen;
    if (found !== undefined && (rest.length === 0 || isAlone(found, parts, lines !== undefined))) {
      return found;
    }
    const cards = [await cardNear(closer ?? (await lookNear(image, first)))];
    for (const part of rest) cards.push(await cardNear(await lookNear(image, part)));
    const card = found ?? chooseResult(lines?.card, cards[0]);
    const others = countOthers(cards);
    return card && { ...card, ...(others > 0 && { others }) };
  };
};

/** Whether a card is sure enough, and every part of the image that looks like one is inside it. */
const isAlone = (card: LocatedCard, parts: readonly (Box | undefined)[], isByLines: boolean): boolean =>
  (isByLines || isTrusted(card)) && !parts.some(isOutside(card));

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
  async (look: Look): Promise<ViewResult> => {
    const { image, fit } = look;
    const small = await shrinkTo(imaging, image, searchSide, measuredSideMin);
    const { card, isReliable } = searchView(small, look);
    if (card === undefined) return { card, isReliable };
    const coarse = scaleCorners(card.quad, image.width / small.width, image.height / small.height);
    return { card: { quad: await fit(coarse), score: card.score }, isReliable };
  };

/** Fits stated corners to the image's edges, and scores the result with the line search. */
const fitStated = async (
  imaging: Pick<Imaging, "resize">,
  image: Image,
  stated: Quad,
): Promise<LocatedCard> => {
  const quad = await makeFit(imaging, image)(stated);
  const small = await shrinkTo(imaging, image, searchSide, measuredSideMin);
  const onSmall = scaleCorners(quad, small.width / image.width, small.height / image.height);
  return { quad, score: scoreQuad(onSmall, colourGradient(small)) ?? 0 };
};
