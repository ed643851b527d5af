import type { Image } from "#imaging/image";
import type { CardMaps } from "./card-maps.ts";
import { gaussianBlur } from "./gaussian-blur.ts";
import { colourGradient, type Gradient } from "./gradient.ts";
import { makeGuide } from "./guided-search.ts";
import { findRegions, type Region } from "./map-regions.ts";
import { type ScoredQuad, searchQuad } from "./quad-search.ts";

/** The search result of an image, in its own pixels. */
export type ViewResult = {
  readonly card: ScoredQuad | undefined;
  /** Whether the lines show the card so clearly that no further search is needed. */
  readonly isReliable: boolean;
  /** The regions that the network takes for cards, the largest first. */
  readonly regions: readonly Region[];
};

const votesMin = 0.08;
/** Below this score the image is searched again without its fine texture. */
const secondPassBelow = 1;
const secondVotesMin = 0.05;
const secondBlurPx = 2.5;
/**
 * A rectangle of lines is taken when it agrees enough with the network's card: from `sure` on less is enough. Without the
 * agreement, 136 of 212 drawn photographs with a score from 0.9 on were right (docs/measurements/documents.md).
 */
const plain = { min: 0.9, agreementMin: 0.87, sure: 1.15, sureAgreementMin: 0.5 } as const;
/**
 * Factor to the scale of the line scores. A card found only by the maps is usable, never trusted; a card
 * found only by lines is neither.
 */
const guidedScale = 0.35;
export const guidedScoreMax = 0.95;
const unseenScoreMax = 0.75;

/**
 * The strongest rectangle of the image when the network finds a card there too; else the card from the
 * network's maps. Lines alone, without a card in the maps, are never usable.
 */
export const searchView = (image: Image, maps: CardMaps): ViewResult => {
  const gradient = colourGradient(image);
  const lines = searchTwice(image, gradient);
  const regions = findRegions(maps);
  const [region] = regions;
  if (region === undefined) {
    return {
      card: lines && { ...lines, score: Math.min(lines.score, unseenScoreMax) },
      isReliable: false,
      regions,
    };
  }
  const { agreement, search } = makeGuide({ image, gradient, maps, regions }, region);
  if (lines !== undefined && isTaken(lines.score, agreement(lines.quad))) {
    return { card: lines, isReliable: true, regions };
  }
  const guided = search();
  const card = guided && { ...guided, score: Math.min(guidedScoreMax, guided.score * guidedScale) };
  return { card, isReliable: false, regions };
};

/** Whether a rectangle of lines with this score and agreement is taken. */
export const isTaken = (score: number, agreement: number): boolean =>
  score >= plain.min && agreement >= (score >= plain.sure ? plain.sureAgreementMin : plain.agreementMin);

/** A printed or woven background hides the border in edges: a blurred image keeps only the large ones. */
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
