import type { Image, Imaging, Quad } from "#imaging/image";
import type { ReadCardMaps } from "./card-maps.ts";
import { cuesIn, oddsOf, probabilityOf } from "./certainty.ts";
import { countOthers } from "./count-others.ts";
import { orderCorners, scaleCorners } from "./geometry.ts";
import { colourGradient } from "./gradient.ts";
import { cardScore, type LocatedCard } from "./located-card.ts";
import { into, type Look, makeProposeQuads, outOf, type Proposal } from "./propose-quads.ts";
import { scoreQuad } from "./quad-search.ts";
import type { ReadCorners } from "./read-corners.ts";
import { refitQuad } from "./refit.ts";
import { shrinkLongSide } from "./shrink-long-side.ts";

/** Longer sides in pixels of the images on which sides are fitted, and stated corners are weighed. */
const refitSide = 1024;
const statedSide = 384;
/** Line scores from which the image's edges confirm the corners of an added network, and trust them. */
const statedMin = 0.8;
const statedTrusted = 1;

/**
 * Locates the card of a photograph by its straight borders (docs/measurements/documents.md); `cardScore`
 * explains the scores.
 */
export type FindQuad = (image: Image) => Promise<LocatedCard | undefined>;

/**
 * Makes the card locator. It resolves with undefined when the image shows nothing like a card, and never
 * fails on content. Corners of an added network count when the image's edges confirm them; else the card is
 * searched without them. The most certain of the proposed quadrilaterals is the card.
 */
export const makeFindQuad = (
  imaging: Pick<Imaging, "resize" | "crop">,
  readCardMaps: ReadCardMaps,
  readCorners?: ReadCorners,
): FindQuad => {
  const propose = makeProposeQuads(imaging, readCardMaps);
  return async (image) => {
    const stated = await readCorners?.(image);
    const fitted = stated && (await fitStated(imaging, image, stated));
    if (fitted !== undefined) {
      return fitted;
    }
    const { whole, proposals, parts } = await propose(image);
    const card = mostCertain(whole, proposals);
    if (card === undefined) {
      return undefined;
    }
    const quad = await refine(imaging, card.quad, card.near);
    const others = countOthers(parts);
    return { quad, score: probabilityOf(card.odds), ...(others === 0 ? {} : { others }) };
  };
};

type Certain = { readonly quad: Quad; readonly odds: number; readonly near: Look };

/** The proposed quadrilateral of the highest certainty, in pixels of the image. */
const mostCertain = (whole: Look, proposals: readonly Proposal[]): Certain | undefined => {
  let best: Certain | undefined;
  for (const { near, found } of proposals) {
    const cues = cuesIn(whole, near);
    for (const quad of found) {
      const odds = oddsOf(cues(into(near, quad)));
      if (best === undefined || odds > best.odds) best = { quad, odds, near };
    }
  }
  return best;
};

/** Fits the sides to the edges of a larger image. */
const refine = async (imaging: Pick<Imaging, "resize">, quad: Quad, { source, box }: Look): Promise<Quad> => {
  const image = await shrinkLongSide(imaging, source, refitSide);
  return orderCorners(outOf({ box, image }, refitQuad(image, into({ box, image }, quad))));
};

/**
 * Fits corners given as shares to the image's edges. Undefined when the edges do not confirm them: the line
 * search scores the result.
 */
const fitStated = async (
  imaging: Pick<Imaging, "resize">,
  image: Image,
  stated: Quad,
): Promise<LocatedCard | undefined> => {
  const large = await shrinkLongSide(imaging, image, refitSide);
  const fine = refitQuad(large, scaleCorners(stated, large.width, large.height));
  const shares = scaleCorners(fine, 1 / large.width, 1 / large.height);
  const small = await shrinkLongSide(imaging, image, statedSide);
  const lines = scoreQuad(scaleCorners(shares, small.width, small.height), colourGradient(small)) ?? 0;
  if (lines < statedMin) return undefined;
  const score = lines >= statedTrusted ? cardScore.trusted : cardScore.usable;
  return { quad: orderCorners(scaleCorners(shares, image.width, image.height)), score };
};
