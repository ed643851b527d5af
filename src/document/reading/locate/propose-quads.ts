import type { Box, Image, Imaging, Quad } from "#imaging/image";
import type { ReadCardMaps } from "./card-maps.ts";
import { cropAround } from "./closer-search.ts";
import { isInside, scaleCorners, shiftCorners } from "./geometry.ts";
import { colourGradient } from "./gradient.ts";
import type { GuidedView } from "./guided-search.ts";
import { findRegions } from "./map-regions.ts";
import type { ScoredQuad } from "./quad-search.ts";
import { searchView, type ViewResult } from "./search-view.ts";
import { shrinkLongSide } from "./shrink-long-side.ts";

/** Longer side in pixels of a working image: 384 finds most cards (98 of 125; 320 px: 86, 512 px: 97). */
const searchSide = 384;
/** How many regions get a closer search when there are several. */
const partsMax = 3;

/** A part of an image, shrunk and shown to the network. */
export type Look = GuidedView & {
  /** The part, in pixels of the image. */
  readonly box: Box;
  /** The part in full resolution. */
  readonly source: Image;
};

/** What was found, with the closer look that judges it. */
export type Proposal = {
  /** A closer look at a region of the network; the whole image where the region fills it, or none exists. */
  readonly near: Look;
  /** In pixels of the image. */
  readonly found: readonly Quad[];
};

export type Proposals = {
  readonly whole: Look;
  readonly proposals: readonly Proposal[];
  /** The likeliest card of each region that was searched, in pixels of the image. */
  readonly parts: readonly (ScoredQuad | undefined)[];
};

/** Lists quadrilaterals of an image that may be its card. */
export type ProposeQuads = (image: Image) => Promise<Proposals>;

export const makeProposeQuads = (
  imaging: Pick<Imaging, "resize" | "crop">,
  readCardMaps: ReadCardMaps,
): ProposeQuads => {
  const look = async (of: Image, box: Box): Promise<Look> => {
    const isWhole = box.width === of.width && box.height === of.height;
    const source = isWhole ? of : imaging.crop(of, box);
    const image = await shrinkLongSide(imaging, source, searchSide);
    const maps = await readCardMaps(source);
    return { image, gradient: colourGradient(image), maps, regions: findRegions(maps), box, source };
  };
  return async (image) => {
    const whole = await look(image, { x: 0, y: 0, width: image.width, height: image.height });
    const { cards, isReliable } = search(whole);
    const boxes = partsOf(whole);
    const isAlone = isReliable && !boxes.some(isOutside(cards[0]));
    const nears: Look[] = [];
    for (const box of isAlone ? boxes.slice(0, 1) : boxes)
      nears.push(box === undefined ? whole : await look(image, box));
    const closer = nears.map((near) => (isAlone || near === whole ? [] : search(near).cards));
    if (nears.length === 0) nears.push(whole);
    const home = Math.max(
      0,
      nears.findIndex(({ box }) => !isOutside(cards[0])(box)),
    );
    const proposals = nears.map((near, i): Proposal => {
      const own = i === home ? cards : [];
      const added = isReliable && i === home ? [] : (closer[i] ?? []);
      return { near, found: [...own, ...added].map(({ quad }) => quad) };
    });
    return { whole, proposals, parts: closer.map(([card]) => card) };
  };
};

/** Searches a look. The quadrilaterals are in pixels of the image that was looked at. */
const search = (view: Look): ViewResult => {
  const { cards, isReliable } = searchView(view);
  return { cards: cards.map((card) => ({ ...card, quad: outOf(view, card.quad) })), isReliable };
};

/** Crops around the regions that the network takes for cards, the largest first. */
const partsOf = ({ regions, maps, source }: Look): readonly (Box | undefined)[] =>
  regions.slice(0, partsMax).map((region) => cropAround(region, maps, source));

/** Whether the centre of a part of the image is outside a card: portraits and barcodes are inside it. */
const isOutside =
  (card: ScoredQuad | undefined) =>
  (part: Box | undefined): boolean =>
    part !== undefined &&
    (card === undefined || !isInside(card.quad, [part.x + part.width / 2, part.y + part.height / 2]));

type Frame = Pick<Look, "box" | "image">;

/** Corners in pixels of the image, in pixels of a look at it. */
export const into = ({ box, image }: Frame, quad: Quad): Quad =>
  scaleCorners(shiftCorners(quad, -box.x, -box.y), image.width / box.width, image.height / box.height);

/** Corners in pixels of a look, in pixels of the image. */
export const outOf = ({ box, image }: Frame, quad: Quad): Quad =>
  shiftCorners(scaleCorners(quad, box.width / image.width, box.height / image.height), box.x, box.y);
