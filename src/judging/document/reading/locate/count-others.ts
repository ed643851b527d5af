import type { Point, Quad } from "#machine/imaging/image";
import { normalOf, signedArea } from "./geometry.ts";
import type { LocatedCard } from "./located-card.ts";

/**
 * Scores of the closer search: of the best card, and of each other card that counts. None of 637 images with
 * one document or none was counted as several (docs/measurements/documents.md).
 */
const bestMin = 0.8;
const otherMin = 0.6;
/**
 * Gap as a share of the smaller card's size. The two pages of an open passport touch; cards laid side by side
 * do not.
 */
const gapMin = 0.05;
/** A portrait or a stamp is a rectangle too, but a small one. */
const areaRatioMin = 0.15;

/**
 * Counts the cards that are apart from the best one. All come from the closer search, in pixels of one image.
 */
export const countOthers = (seen: readonly (LocatedCard | undefined)[]): number => {
  const [best, ...rest] = seen.filter((card) => card !== undefined).toSorted((a, b) => b.score - a.score);
  return best === undefined || best.score < bestMin
    ? 0
    : rest.filter(({ quad, score }) => score >= otherMin && areApart(best.quad, quad)).length;
};

const areApart = (a: Quad, b: Quad): boolean => {
  const areas = [Math.abs(signedArea(a)), Math.abs(signedArea(b))];
  const [small, large] = [Math.min(...areas), Math.max(...areas)];
  return small > areaRatioMin * large && gapBetween(a, b) > gapMin * Math.sqrt(small);
};

/**
 * Pixels between two convex quadrilaterals along the side normal that separates them best; negative when they
 * overlap.
 */
const gapBetween = (a: Quad, b: Quad): number =>
  Math.max(
    ...[...normalsOf(a), ...normalsOf(b)].map((normal) => {
      const [first, second] = [spanAlong(a, normal), spanAlong(b, normal)];
      return Math.max(second.low - first.high, first.low - second.high);
    }),
  );

const normalsOf = (quad: Quad): readonly Point[] => quad.map((from, i) => normalOf(from, quad[(i + 1) % 4]!));

const spanAlong = (quad: Quad, [nx, ny]: Point): { readonly low: number; readonly high: number } => {
  const places = quad.map(([x, y]) => x * nx + y * ny);
  return { low: Math.min(...places), high: Math.max(...places) };
};
