import type { Box, Image, Imaging } from "#imaging/image";
import type { ReadCardMaps } from "./card-maps.ts";
import { cropAround } from "./closer-search.ts";
import { countOthers } from "./count-others.ts";
import { isInside, shiftCorners } from "./geometry.ts";
import { cardScore, isTrusted, type LocatedCard, scoreOf } from "./located-card.ts";
import { makeLookAt, type SeenCard } from "./look.ts";
import type { ReadCorners } from "./read-corners.ts";

/** How many regions get a closer look when there are several. */
const partsMax = 3;
/** From this agreement on, the bundled network confirms the corners of an added one. Not measured: no added network is at hand. */
const confirmedMin = 0.8;
/** Chosen on 125 frames and 560 drawn photographs (docs/measurements/documents.md). */
const closerMargin = 0.03;

/**
 * Locates the card of a photograph by its borders (docs/measurements/documents.md); `cardScore` explains the
 * scores.
 */
export type FindQuad = (image: Image) => Promise<LocatedCard | undefined>;

/**
 * Makes the card locator. It resolves with undefined when the network finds nothing like a card, and never
 * fails on content. Corners of an added network count when the bundled network confirms them; else the card is
 * found without them. A card that is not trusted gets a closer look, and so does each of several cards.
 */
export const makeFindQuad = (
  imaging: Pick<Imaging, "resize" | "crop">,
  readCardMaps: ReadCardMaps,
  readCorners?: ReadCorners,
): FindQuad => {
  const lookAt = makeLookAt(imaging, readCardMaps);
  return async (image) => {
    const { maps, regions, card, fit } = await lookAt(image);
    const stated = await readCorners?.(image);
    const confirmed = stated && confirm(fit(stated));
    if (confirmed !== undefined) {
      return confirmed;
    }
    const parts = regions.slice(0, partsMax).map((region) => cropAround(region, maps, image));
    const isEnough = card !== undefined && isTrusted(scored(card)) && !parts.some(isOutside(card));
    const closer: (SeenCard | undefined)[] = [];
    for (const part of isEnough ? [] : parts) {
      const seen = part && (await lookAt(imaging.crop(image, part))).card;
      closer.push(seen && { ...seen, quad: shiftCorners(seen.quad, part.x, part.y) });
    }
    const chosen = chooseCard(card, closer[0]);
    const others = countOthers(closer.map((seen) => seen && scored(seen)));
    return chosen && { ...scored(chosen), ...(others > 0 && { others }) };
  };
};

const scored = ({ quad, agreement }: SeenCard): LocatedCard => ({ quad, score: scoreOf(agreement) });

/** Two networks that find the same card make it usable. */
const confirm = (seen: SeenCard): LocatedCard | undefined =>
  seen.agreement < confirmedMin
    ? undefined
    : { quad: seen.quad, score: Math.max(cardScore.usable, scoreOf(seen.agreement)) };

/** The closer look shows the borders in more detail, unless it agrees with its own map clearly less. */
export const chooseCard = (
  first: SeenCard | undefined,
  closer: SeenCard | undefined,
): SeenCard | undefined =>
  closer !== undefined && (first === undefined || closer.agreement >= first.agreement - closerMargin)
    ? closer
    : first;

/** Whether the centre of a part of the image is outside a card: portraits and barcodes are inside it. */
const isOutside =
  ({ quad }: SeenCard) =>
  (part: Box | undefined): boolean =>
    part !== undefined && !isInside(quad, [part.x + part.width / 2, part.y + part.height / 2]);
