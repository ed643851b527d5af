import type { GreyImage } from "#imaging/image";

/**
 * A nearly axis-parallel line: `offset` + `slope` · (t - `pivot`) across the axis, where t runs along it. For a
 * steep line t is y and the result x; for a level line t is x and the result y.
 */
export type Line = { readonly offset: number; readonly slope: number; readonly pivot: number };

/** Sign of the edge at each place, indexed [t][across]: 1 dark to bright, -1 bright to dark, 0 no edge. */
export type EdgeMap = { readonly length: number; readonly across: number; readonly sign: Int8Array };

export type EdgeMaps = { readonly vertical: EdgeMap; readonly horizontal: EdgeMap };

/** Weakest step of a Sobel pair, in grey levels across two pixels, that counts as an edge. */
const stepMin = 9;
/** An edge may lean up to some 35° from the axis it is filed under. */
const leanMax = 0.7;
const slopeMax = 0.42;
const slopeStep = 0.02;
const supportMin = 0.6;
const linesMax = 5;
/** A first look at every eighth place leaves one line in a hundred for the second. */
const coarseStep = 8;
const coarseSupportMin = 0.4;

/** Edges by direction, each kept for one pixel to either side so that a line may wander. */
export const edgeMaps = ({ width, height, data }: GreyImage): EdgeMaps => {
  const steep = new Int8Array(width * height);
  const level = new Int8Array(width * height);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      const [a, b, c] = [data[i - width - 1]!, data[i - width]!, data[i - width + 1]!];
      const [d, e] = [data[i - 1]!, data[i + 1]!];
      const [f, g, h] = [data[i + width - 1]!, data[i + width]!, data[i + width + 1]!];
      const gx = (c + 2 * e + h - a - 2 * d - f) / 4;
      const gy = (f + 2 * g + h - a - 2 * b - c) / 4;
      if (Math.abs(gx) >= stepMin && Math.abs(gy) <= leanMax * Math.abs(gx)) {
        steep[i] = Math.sign(gx);
      }
      if (Math.abs(gy) >= stepMin && Math.abs(gx) <= leanMax * Math.abs(gy)) {
        level[x * height + y] = Math.sign(gy);
      }
    }
  }
  return {
    vertical: { length: height, across: width, sign: steep },
    horizontal: { length: width, across: height, sign: level },
  };
};

/** The sign that most of the places along a line share, as a share of all places asked for, 0…1. */
const supportOf = (map: EdgeMap, line: Line, from: number, to: number, step: number): number => {
  let positive = 0;
  let negative = 0;
  let places = 0;
  for (let t = Math.round(from); t <= to; t += step) {
    places++;
    const at = Math.round(line.offset + line.slope * (t - line.pivot));
    if (t < 0 || t >= map.length || at < 1 || at >= map.across - 1) {
      continue;
    }
    const i = t * map.across + at;
    const [before, here, after] = [map.sign[i - 1]!, map.sign[i]!, map.sign[i + 1]!];
    if (before > 0 || here > 0 || after > 0) positive++;
    if (before < 0 || here < 0 || after < 0) negative++;
  }
  return places === 0 ? 0 : Math.max(positive, negative) / places;
};

/** Straightness of a side between its two corners; a tenth at each end is left out for rounded corners. */
export const supportAlong = (map: EdgeMap, line: Line, from: number, to: number): number => {
  const margin = 0.1 * (to - from);
  return supportOf(map, line, from + margin, to - margin, 1);
};

/** The best supported lines whose middle lies between `low` and `high`, seen over the span of the face. */
export const bestLines = (
  map: EdgeMap,
  span: { readonly from: number; readonly to: number },
  low: number,
  high: number,
): readonly Line[] => {
  const pivot = (span.from + span.to) / 2;
  const found: { line: Line; support: number }[] = [];
  for (let offset = Math.ceil(low); offset <= high; offset++) {
    let best = { line: { offset, slope: 0, pivot }, support: 0 };
    for (let slope = -slopeMax; slope <= slopeMax; slope += slopeStep) {
      const line = { offset, slope, pivot };
      if (supportOf(map, line, span.from, span.to, coarseStep) < coarseSupportMin) {
        continue;
      }
      const support = supportOf(map, line, span.from, span.to, 2);
      if (support > best.support) {
        best = { line, support };
      }
    }
    if (best.support >= supportMin) {
      found.push(best);
    }
  }
  const kept: { line: Line; support: number }[] = [];
  for (const next of found.toSorted((a, b) => b.support - a.support)) {
    const isNew = kept.every(
      ({ line }) =>
        Math.abs(line.offset - next.line.offset) > 3 || Math.abs(line.slope - next.line.slope) > 0.08,
    );
    if (isNew && kept.length < linesMax) {
      kept.push(next);
    }
  }
  return kept.map(({ line }) => line);
};
