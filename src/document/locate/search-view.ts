import type { Image, Quad } from "#imaging/image";
import type { CardMaps } from "./card-maps.ts";
import { gaussianBlur } from "./gaussian-blur.ts";
import { colourGradient, type Gradient } from "./gradient.ts";
import { makeGuide } from "./guided-search.ts";
import { findRegions, type Region } from "./map-regions.ts";
import { type ScoredQuad, searchQuad } from "./quad-search.ts";

/** What a picture shows, in its own pixels. */
export type Finding = {
  readonly card: ScoredQuad | undefined;
  /** Whether lines show the card that surely that nothing better is looked for. */
  readonly isSure: boolean;
  /** What the network takes for cards, the largest first. */
  readonly regions: readonly Region[];
};

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
export const guidedScoreMax = 0.95;
const unseenScoreMax = 0.75;

/**
 * The strongest rectangle of the picture where the network sees a card there too; else what the network's maps lead to. Lines
 * alone, where the network sees no card at all, are never usable.
 */
export const searchView = (image: Image, maps: CardMaps): Finding => {
  const gradient = colourGradient(image);
  const plain = searchTwice(image, gradient);
  const regions = findRegions(maps);
  const [region] = regions;
  if (region === undefined) {
    return {
      card: plain && { ...plain, score: Math.min(plain.score, unseenScoreMax) },
      isSure: false,
      regions,
    };
  }
  const { agreement, search } = makeGuide({ image, gradient, maps, regions }, region);
  if (plain !== undefined && isTaken(plain, agreement)) {
    return { card: plain, isSure: true, regions };
  }
  const guided = search();
  const card = guided && { ...guided, score: Math.min(guidedScoreMax, guided.score * guidedScale) };
  return { card, isSure: false, regions };
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
