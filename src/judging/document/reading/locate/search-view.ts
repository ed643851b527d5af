import type { Image } from "#machine/imaging/image";
import { gaussianBlur } from "./gaussian-blur.ts";
import { colourGradient, type Gradient } from "./gradient.ts";
import { makeGuide } from "./guided-search.ts";
import type { Look } from "./look.ts";
import { type ScoredQuad, searchQuad } from "./quad-search.ts";

/** The search result of an image, in its own pixels. */
export type ViewResult = {
  readonly card: ScoredQuad | undefined;
  /** Whether the lines show the card so clearly that no further search is needed. */
  readonly isReliable: boolean;
};

const votesMin = 0.08;
/** Below this score the image is searched again without its fine texture. */
const secondPassBelow = 1;
const secondVotesMin = 0.05;
const secondBlurPx = 2.5;
/**
 * A rectangle of lines is taken when it agrees enough with the network's card: from `sure` on less is enough
 * (docs/measurements/documents.md, Cards by situation).
 */
const plain = { min: 0.9, agreementMin: 0.87, sure: 1.15, sureAgreementMin: 0.5 } as const;
/**
 * Factor to the scale of the line scores. A card of the guided search is usable, never trusted; a card found
 * only by lines is neither.
 */
const guidedScale = 0.35;
export const guidedScoreMax = 0.95;
const unseenScoreMax = 0.75;
/**
 * From this score on, lines are trusted although the network sees a whole border that is not usable: no drawn
 * photograph.
 */
const surest = 1.3;

/**
 * The strongest rectangle of the image when the network finds a card there too; else the card from the
 * network's maps. Lines alone, without a card in the maps, are never usable. They are trusted where the frame
 * cuts the card, so that the network cannot place it, or from `surest` on: of the others 10 of 15 drawn ones
 * were right.
 */
export const searchView = (
  image: Image,
  { maps, regions, isCut }: Pick<Look, "maps" | "regions" | "isCut">,
): ViewResult => {
  const gradient = colourGradient(image);
  const lines = searchTwice(image, gradient);
  const [region] = regions;
  if (region === undefined) return { card: capped(lines, unseenScoreMax), isReliable: false };
  const { agreement, search } = makeGuide({ image, gradient, maps, regions }, region);
  if (lines !== undefined && isTaken(lines.score, agreement(lines.quad))) {
    const scoreMax = scoreMaxOf(lines.score, isCut);
    return { card: capped(lines, scoreMax), isReliable: true };
  }
  const guided = search();
  const scaled = guided && { ...guided, score: guided.score * guidedScale };
  return { card: capped(scaled, guidedScoreMax), isReliable: false };
};

const capped = (card: ScoredQuad | undefined, scoreMax: number): ScoredQuad | undefined =>
  card && { ...card, score: Math.min(card.score, scoreMax) };

/** Whether a rectangle of lines with this score and agreement is taken. */
export const isTaken = (score: number, agreement: number): boolean =>
  score >= plain.min && agreement >= (score >= plain.sure ? plain.sureAgreementMin : plain.agreementMin);

/** The highest score of a rectangle of lines whose card the frame cuts, or does not cut. */
export const scoreMaxOf = (score: number, isCut: boolean): number =>
  isCut || score >= surest ? Number.POSITIVE_INFINITY : guidedScoreMax;

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
