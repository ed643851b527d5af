import type { Image, Quad } from "#imaging/image";
import { gaussianBlur } from "./gaussian-blur.ts";
import { colourGradient, type Gradient } from "./gradient.ts";
import { type GuidedView, makeGuide } from "./guided-search.ts";
import { type ScoredQuad, searchQuad } from "./quad-search.ts";

/** The search result of an image, in its own pixels. */
export type ViewResult = {
  /** The likeliest card first: without a reliable one, that of the network's maps, then that of lines alone. */
  readonly cards: readonly ScoredQuad[];
  /** Whether the lines show the card so clearly that no further search is needed. */
  readonly isReliable: boolean;
};

const votesMin = 0.08;
/** Below this score the image is searched again without its fine texture. */
const secondPassBelow = 1;
const secondVotesMin = 0.05;
const secondBlurPx = 2.5;
/** A rectangle of lines is taken from this score on, when the network's card covers it by the given share. */
const plainSeen = 0.9;
const agreementMin = 0.6;
/** Factor to the scale of the line scores, and the highest scores without lines and without the network. */
const guidedScale = 0.35;
const guidedScoreMax = 0.95;
const unseenScoreMax = 0.75;

/**
 * The strongest rectangle of the image when the network finds a card there too; else the card from the
 * network's maps, and the rectangle.
 */
export const searchView = (view: GuidedView): ViewResult => {
  const { image, gradient, regions } = view;
  const plain = searchTwice(image, gradient);
  const unseen = plain && { ...plain, score: Math.min(plain.score, unseenScoreMax) };
  const [region] = regions;
  if (region === undefined) {
    return { cards: listOf(unseen), isReliable: false };
  }
  const { agreement, search } = makeGuide(view, region);
  if (plain !== undefined && isTaken(plain, agreement)) {
    return { cards: [plain], isReliable: true };
  }
  const guided = search();
  const card = guided && { ...guided, score: Math.min(guidedScoreMax, guided.score * guidedScale) };
  return { cards: [...listOf(card), ...listOf(unseen)], isReliable: false };
};

const listOf = (card: ScoredQuad | undefined): readonly ScoredQuad[] => (card === undefined ? [] : [card]);

const isTaken = ({ quad, score }: ScoredQuad, agreement: (quad: Quad) => number): boolean =>
  score >= plainSeen && agreement(quad) >= agreementMin;

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
