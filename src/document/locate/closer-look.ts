import type { Box, Image } from "#imaging/image";
import type { CardMaps } from "./card-maps.ts";
import type { LocatedCard } from "./find-quad.ts";
import { intersectionOverUnion } from "./geometry.ts";
import type { Region } from "./map-regions.ts";
import { guidedScoreMax } from "./search-view.ts";

/** Of the region's longer side, laid around it: from .12 to .18 118 to 122 of 125 frames were found, at .25 117 (docs/measurements.md). */
const margin = 0.15;
/** A part that takes more of the picture than this would show nothing that was not seen already. */
const shareMax = 0.6;
/** Quadrilaterals that agree so far are the same card. */
const sameCard = 0.9;

/**
 * The part of a picture around a region of its maps, in whole pixels; undefined where that is nearly all of it, or where the
 * picture is so small that nothing is left.
 */
export const surroundingsOf = (
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

/** First place and the one behind the last. */
const spanOf = (values: readonly number[]): readonly [number, number] => {
  let [first, last] = [Number.POSITIVE_INFINITY, 0];
  for (const value of values) [first, last] = [Math.min(first, value), Math.max(last, value)];
  return [first, last + 1];
};

/**
 * Of two looks at one card, in pixels of the same picture, the one with the higher score; its score is never trusted. A card that
 * was seen before is worth what it was worth then: from nearby every rectangle is large.
 */
export const chooseLook = (first: LocatedCard | undefined, closer: LocatedCard): LocatedCard => {
  if (first === undefined) {
    return { ...closer, score: Math.min(guidedScoreMax, closer.score) };
  }
  if (closer.score < first.score) {
    return first;
  }
  const isSame = intersectionOverUnion(first.quad, closer.quad) > sameCard;
  return { ...closer, score: isSame ? first.score : Math.min(guidedScoreMax, closer.score) };
};
