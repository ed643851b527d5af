import type { Quad } from "#imaging/image";
import { agreementOf, borderAlong, mapOfRegion } from "./agreement.ts";
import { scaleCorners } from "./geometry.ts";
import { thinEdges } from "./gradient.ts";
import type { GuidedView } from "./guided-search.ts";
import { aspectDeviationOf, edgeQuantile, supportOf } from "./quad-search.ts";

/** How far one view of an image confirms that a quadrilateral is a card. All but the shape are 0…1. */
export type Evidence = {
  /** Soft IoU with the region of the card map that fits best. */
  readonly agreement: number;
  /** Border map along the sides inside the view: their mean, and the weakest. */
  readonly border: number;
  readonly borderMin: number;
  /** Share of the weakest side that is on edges of one polarity. */
  readonly edgesMin: number;
  /** Logarithm of the aspect ratio, less that of the nearest card. */
  readonly shape: number;
};

/** Makes the judge of a view's quadrilaterals, in pixels of the view's image. */
export const evidenceIn = ({ image, gradient, maps, regions }: GuidedView): ((quad: Quad) => Evidence) => {
  const cards = regions.map((region) => {
    const map = mapOfRegion(maps, region, regions);
    return { map, total: sumOf(map) };
  });
  const edges = thinEdges(gradient, edgeQuantile);
  return (quad) => {
    const onGrid = scaleCorners(quad, maps.columns / image.width, maps.rows / image.height);
    const borders = borderAlong(onGrid, maps);
    const supports = quad.map((from, i) => supportOf(from, quad[(i + 1) % 4]!, gradient, edges));
    return {
      agreement: Math.max(0, ...cards.map(({ map, total }) => agreementOf(onGrid, map, maps.columns, total))),
      border: sumOf(borders) / Math.max(1, borders.length),
      borderMin: Math.min(1, ...borders),
      edgesMin: Math.min(...supports),
      shape: aspectDeviationOf(quad),
    };
  };
};

const sumOf = (values: ArrayLike<number>): number => {
  let sum = 0;
  for (let i = 0; i < values.length; i++) sum += values[i]!;
  return sum;
};
