import type { Image, Quad } from "#machine/imaging/image";
import { agreementOf, borderAlong, mapOfRegion, sumOf } from "./agreement.ts";
import type { CardMaps } from "./card-maps.ts";
import { normalOf, scaleCorners } from "./geometry.ts";
import { type Edges, type Gradient, thinEdges } from "./gradient.ts";
import { findLines, type VotedLine } from "./hough.ts";
import type { Look } from "./look.ts";
import { quadOfRegion } from "./map-quad.ts";
import type { Region } from "./map-regions.ts";
import { aspectDeviationOf, listCandidates, type ScoredQuad, supportOf } from "./quad-search.ts";
import { lineThrough } from "./refit.ts";

/** Minimum of the border map for a pixel that may belong to the card's border. */
const bandMin = 0.1;
/** Half of the band's pixels may be edges: an uncut copy has a faint border. */
const edgeQuantile = 0.5;
const lineCount = 40;
const votesMin = 0.05;
const candidatesMax = 300;
/** The agreement with the card map is computed for at most this many candidates: it costs most. */
const agreedMax = 80;

/** A searched image: its gradient, the network's maps, and their card-like regions. */
export type GuidedView = Pick<Look, "image" | "maps" | "regions"> & { readonly gradient: Gradient };

/** The network's guidance for one region. Quadrilaterals are in pixels of the image. */
export type Guide = {
  /** How well a quadrilateral covers the region and nothing else, 0…1. */
  readonly agreement: (quad: Quad) => number;
  /**
   * Searches the region's card. The score adds the agreement of card map, border map, image edges and card
   * shape, 0 to 3.1.
   */
  readonly search: () => ScoredQuad | undefined;
};

type Candidate = { readonly quad: Quad; readonly score: number };

export const makeGuide = (view: GuidedView, region: Region): Guide => {
  const { image, maps, regions } = view;
  const map = mapOfRegion(maps, region, regions);
  const total = sumOf(map);
  const onGrid = (quad: Quad): Quad =>
    scaleCorners(quad, maps.columns / image.width, maps.rows / image.height);
  const agreement = (quad: Quad): number => agreementOf(onGrid(quad), map, maps.columns, total);
  const search = (): ScoredQuad | undefined => {
    const candidates = listWeighed(view, region, onGrid).toSorted((a, b) => b.score - a.score);
    let best: ScoredQuad | undefined;
    for (const { quad, score } of candidates.slice(0, agreedMax)) {
      const agreed = score + agreement(quad);
      if (best === undefined || agreed > best.score) best = { quad, score: agreed };
    }
    return best;
  };
  return { agreement, search };
};

/** Four lines of the image near the network's border; without such lines, the ridge of the border map. */
const listWeighed = (
  { image, gradient, maps }: GuidedView,
  region: Region,
  onGrid: (quad: Quad) => Quad,
): readonly Candidate[] => {
  const ridge = quadOfRegion(region, maps);
  const own =
    ridge === undefined ? [] : [scaleCorners(ridge, image.width / maps.columns, image.height / maps.rows)];
  const edges = thinEdges(gradient, edgeQuantile, bandOf(maps, image));
  const lines = [...findLines(gradient, edges, lineCount, votesMin), ...own.flatMap(sidesOf)];
  const listed = listCandidates(lines, image.width, image.height).slice(0, candidatesMax);
  return [...listed.map(({ quad }) => quad), ...own].map((quad) => ({
    quad,
    score: 0.5 * meanOf(borderAlong(onGrid(quad), maps)) + edgeScore(quad, gradient, edges),
  }));
};

/** Weights that found most cards in half of the frames (docs/measurements/documents.md). */
const edgeScore = (quad: Quad, gradient: Gradient, edges: Edges): number => {
  const supports = quad.map((from, i) => supportOf(from, quad[(i + 1) % 4]!, gradient, edges));
  return 1.2 * meanOf(supports) + 0.4 * Math.min(...supports) - 0.4 * Math.min(0.35, aspectDeviationOf(quad));
};

const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);

const sidesOf = (quad: Quad): readonly VotedLine[] =>
  quad.map((from, i) => {
    const to = quad[(i + 1) % 4]!;
    return { ...lineThrough(from, normalOf(from, to)), votes: 1 };
  });

/** Pixels near the network's border. */
const bandOf = ({ border, columns, rows }: CardMaps, { width, height }: Image): Uint8Array => {
  const band = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const row = Math.floor(((y + 0.5) * rows) / height) * columns;
    for (let x = 0; x < width; x++) {
      const column = Math.floor(((x + 0.5) * columns) / width);
      if (border[row + column]! >= bandMin) band[y * width + x] = 1;
    }
  }
  return band;
};
