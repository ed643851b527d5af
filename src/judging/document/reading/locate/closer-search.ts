import type { Box, Image } from "#machine/imaging/image";
import type { CardMaps } from "./card-maps.ts";
import { intersectionOverUnion } from "./geometry.ts";
import type { LocatedCard } from "./located-card.ts";
import type { Region } from "./map-regions.ts";
import { guidedScoreMax } from "./search-view.ts";

/**
 * Margin as a share of the region's longer side. From .12 to .18, 118 to 122 of 125 frames were found; at
 * .25, 117 (docs/measurements/documents.md).
 */
const margin = 0.15;
/** A crop that covers more of the image than this would show nothing new. */
const shareMax = 0.6;
/** Quadrilaterals with at least this IoU are the same card. */
const sameCard = 0.9;
/** A closer look shows the border in more detail, unless its score is lower by more. */
const closerMargin = 0.3;

/**
 * The crop of an image around a region of its maps, in whole pixels. Undefined when it covers nearly the
 * whole image, or when the image is so small that nothing is left.
 */
export const cropAround = (
  { places }: Region,
  { columns, rows }: CardMaps,
  { width, height }: Image,
): Box | undefined => {
  const [left, right] = spanOf(places.map((place) => place % columns));
  const [top, bottom] = spanOf(places.map((place) => Math.floor(place / columns)));
  const away = margin * Math.max(right - left, bottom - top);
  const [x, y] = [pixel(left - away, columns, width), pixel(top - away, rows, height)];
  const box = {
    x,
    y,
    width: pixel(right + away, columns, width) - x,
    height: pixel(bottom + away, rows, height) - y,
  };
  const area = box.width * box.height;
  return area === 0 || area > shareMax * width * height ? undefined : box;
};

const pixel = (place: number, count: number, pixels: number): number =>
  Math.min(pixels, Math.max(0, Math.round((place / count) * pixels)));

/** First index and the index after the last one. */
const spanOf = (values: readonly number[]): readonly [number, number] => {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const value of values) [first, last] = [Math.min(first, value), Math.max(last, value)];
  return [first, last + 1];
};

/** Chooses between two looks at one card, in pixels of the same image. */
export const chooseLook = (
  first: LocatedCard | undefined,
  closer: LocatedCard | undefined,
): LocatedCard | undefined =>
  first === undefined || (closer !== undefined && closer.score >= first.score - closerMargin)
    ? closer
    : first;

/**
 * Chooses between the search for lines in the image and nearby, in pixels of the same image: the higher score
 * wins. The result is never trusted. A card that the first search found keeps its score: in a close crop
 * every rectangle is large.
 */
export const chooseResult = (
  first: LocatedCard | undefined,
  closer: LocatedCard | undefined,
): LocatedCard | undefined => {
  if (closer === undefined || (first !== undefined && closer.score < first.score)) {
    return first;
  }
  const isSame = first !== undefined && intersectionOverUnion(first.quad, closer.quad) > sameCard;
  return { ...closer, score: isSame ? first.score : Math.min(guidedScoreMax, closer.score) };
};
