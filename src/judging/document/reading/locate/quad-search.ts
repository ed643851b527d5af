import type { Point, Quad } from "#machine/imaging/image";
import {
  angleBetween,
  crossing,
  distance,
  normalOf,
  orderCorners,
  sideLengths,
  signedArea,
} from "./geometry.ts";
import { type Edges, type Gradient, thinEdges } from "./gradient.ts";
import { findLines, type VotedLine } from "./hough.ts";

/** A located card: corners in pixels of the searched image, and a score from 0 to about 1.4. */
export type ScoredQuad = { readonly quad: Quad; readonly score: number };

/**
 * All constants were chosen on 125 camera frames and 108 drawn photographs (docs/measurements/documents.md).
 */
const lineCount = 80;
const edgeQuantile = 0.78;
const candidatesMax = 4000;
const areaShareMin = 0.03;
const areaShareMax = 1.02;
const aspectMin = 1.15;
const aspectMax = 2;
/** ID-1 (85.60 × 53.98 mm) and TD3 (125 × 88 mm), ISO/IEC 7810 and ICAO 9303-4, 2.1. */
const aspects = [1.586, 1.42];
const parallelRadians = 0.35;
const crossingRadians = 0.9;
/** Corners may be outside the frame by this share of it: a card cut off at a corner is still located. */
const outsideShare = 0.06;
const oppositeSidesMin = 0.6;

type Candidate = {
  readonly quad: Quad;
  readonly area: number;
  readonly aspectDeviation: number;
  readonly rank: number;
};

type Pair = readonly [VotedLine, VotedLine];

/** The quadrilateral of an image that is most like a card's border; undefined when no four lines fit. */
export const searchQuad = (gradient: Gradient, votesMin: number): ScoredQuad | undefined => {
  const edges = thinEdges(gradient, edgeQuantile);
  const lines = findLines(gradient, edges, lineCount, votesMin);
  const candidates = listCandidates(lines, gradient.width, gradient.height);
  let best: ScoredQuad | undefined;
  for (const candidate of candidates.slice(0, candidatesMax)) {
    const score = scoreOf(candidate, gradient, edges);
    if (best === undefined || score > best.score) {
      best = { quad: candidate.quad, score };
    }
  }
  return best === undefined ? undefined : { quad: orderCorners(best.quad), score: best.score };
};

/** Scores a given quadrilateral; undefined when it has not the size or shape of a card. */
export const scoreQuad = (quad: Quad, gradient: Gradient): number | undefined => {
  const area = Math.abs(signedArea(quad));
  return hasCardShape(quad, area, gradient.width * gradient.height)
    ? scoreOf(
        { quad, area, aspectDeviation: aspectDeviationOf(quad) },
        gradient,
        thinEdges(gradient, edgeQuantile),
      )
    : undefined;
};

/** Every quadrilateral of four lines that could be a card, with the strongest lines first. */
export const listCandidates = (
  lines: readonly VotedLine[],
  width: number,
  height: number,
): readonly Candidate[] => {
  const pairs = lines.flatMap((a, i) =>
    lines
      .slice(i + 1)
      .filter((b) => angleBetween(a.angle, b.angle) < parallelRadians)
      .map((b): Pair => [a, b]),
  );
  const candidates: Candidate[] = [];
  for (let i = 0; i < pairs.length; i++) {
    for (let k = i + 1; k < pairs.length; k++) {
      const candidate = candidateOf(pairs[i]!, pairs[k]!, width, height);
      if (candidate !== undefined) {
        candidates.push(candidate);
      }
    }
  }
  return candidates.sort((a, b) => b.rank - a.rank);
};

const candidateOf = (across: Pair, down: Pair, width: number, height: number): Candidate | undefined => {
  const quad = cornersOf(across, down, width, height);
  if (quad === undefined) {
    return undefined;
  }
  const area = Math.abs(signedArea(quad));
  if (!hasCardShape(quad, area, width * height)) {
    return undefined;
  }
  const aspectDeviation = aspectDeviationOf(quad);
  const votes = across[0].votes + across[1].votes + down[0].votes + down[1].votes;
  return { quad, area, aspectDeviation, rank: votes * (1 - aspectDeviation) };
};

const hasCardShape = (quad: Quad, area: number, frame: number): boolean => {
  if (area < frame * areaShareMin || area > frame * areaShareMax) {
    return false;
  }
  const [top, right, bottom, left] = sideLengths(quad);
  if (ratio(top, bottom) < oppositeSidesMin || ratio(right, left) < oppositeSidesMin) {
    return false;
  }
  const aspect = aspectOf(quad);
  return aspect >= aspectMin && aspect <= aspectMax;
};

const aspectOf = (quad: Quad): number => {
  const [top, right, bottom, left] = sideLengths(quad);
  return 1 / ratio(top + bottom, right + left);
};

/** Distance of a quadrilateral's shape to the nearest card shape, as the logarithm of the aspect ratio. */
export const aspectDeviationOf = (quad: Quad): number => {
  const aspect = aspectOf(quad);
  return Math.min(...aspects.map((known) => Math.abs(Math.log(aspect / known))));
};

const ratio = (a: number, b: number): number => Math.min(a, b) / Math.max(a, b);

const crosses = (a: VotedLine, b: VotedLine): boolean => angleBetween(a.angle, b.angle) >= crossingRadians;

/**
 * The corners of two line pairs. Nearly all of up to a million combinations end here, so nothing is allocated
 * before.
 */
const cornersOf = ([a, b]: Pair, [c, d]: Pair, width: number, height: number): Quad | undefined => {
  if (!crosses(a, c) || !crosses(a, d) || !crosses(b, c) || !crosses(b, d)) {
    return undefined;
  }
  const first = cornerOf(a, c, width, height);
  const second = first && cornerOf(a, d, width, height);
  const third = second && cornerOf(b, d, width, height);
  const fourth = third && cornerOf(b, c, width, height);
  return first && second && third && fourth && [first, second, third, fourth];
};

const cornerOf = (a: VotedLine, b: VotedLine, width: number, height: number): Point | undefined => {
  const p = crossing(a, b);
  return p !== undefined &&
    p[0] >= -width * outsideShare &&
    p[0] <= width * (1 + outsideShare) &&
    p[1] >= -height * outsideShare &&
    p[1] <= height * (1 + outsideShare)
    ? p
    : undefined;
};

/**
 * Sides on edges count most, and the weakest side counts again; the right shape and a large card add to the
 * score.
 */
const scoreOf = (candidate: Omit<Candidate, "rank">, gradient: Gradient, edges: Edges): number => {
  const { quad } = candidate;
  const supports = quad.map((corner, i) => supportOf(corner, quad[(i + 1) % 4]!, gradient, edges));
  const mean = supports.reduce((sum, support) => sum + support, 0) / 4;
  const share = candidate.area / (gradient.width * gradient.height);
  return (
    0.6 * mean +
    0.5 * Math.min(...supports) -
    0.8 * Math.min(0.35, candidate.aspectDeviation) +
    0.35 * Math.sqrt(share)
  );
};

/**
 * Share of a side that is on edges of one polarity, along the side's normal. A card's border is lighter or
 * darker than the background along its whole length; a row of text changes from letter to letter.
 */
export const supportOf = (from: Point, to: Point, gradient: Gradient, edges: Edges): number => {
  const samples = Math.max(12, Math.min(60, Math.floor(distance(from, to) / 4)));
  const normal = normalOf(from, to);
  let lighter = 0;
  let darker = 0;
  let strength = 0;
  for (let k = 0; k < samples; k++) {
    const share = (k + 0.5) / samples;
    const x = from[0] + share * (to[0] - from[0]);
    const y = from[1] + share * (to[1] - from[1]);
    const hit = edgeAcross(x, y, normal, gradient, edges);
    lighter += hit > 0 ? 1 : 0;
    darker += hit < 0 ? 1 : 0;
    strength += Math.min(1, Math.abs(hit) / (edges.threshold * 4));
  }
  const onePolarity = Math.max(lighter, darker) - 0.5 * Math.min(lighter, darker);
  return (onePolarity / samples) * (0.75 + (0.25 * strength) / samples);
};

/** Signed strength of the strongest edge within two pixels that runs along the side; 0 when there is none. */
const edgeAcross = (x: number, y: number, normal: Point, gradient: Gradient, edges: Edges): number => {
  const { width, height } = gradient;
  let hit = 0;
  for (let away = -2; away <= 2; away++) {
    const px = Math.round(x + normal[0] * away);
    const py = Math.round(y + normal[1] * away);
    if (px < 2 || py < 2 || px >= width - 2 || py >= height - 2) {
      continue;
    }
    const i = py * width + px;
    if (edges.mask[i] === 0) {
      continue;
    }
    const along = gradient.x[i]! * normal[0] + gradient.y[i]! * normal[1];
    if (Math.abs(along) > 0.85 * gradient.magnitude[i]! && Math.abs(along) > Math.abs(hit)) {
      hit = along;
    }
  }
  return hit;
};
