import type { GreyImage } from "#imaging/image";

/**
 * A nearly axis-parallel line: `offset` + `slope` · (t - `pivot`) across the axis, where t runs along it. For a
 * steep line t is y and the result x; for a level line t is x and the result y.
 */
export type Line = { readonly offset: number; readonly slope: number; readonly pivot: number };

/**
 * Edges near each pixel, indexed [t][across]: bit 1 for a step from dark to bright there or one pixel to either side (a
 * line may deviate), bit 2 for bright to dark.
 */
export type EdgeMap = { readonly length: number; readonly across: number; readonly near: Uint8Array };

export type EdgeMaps = { readonly vertical: EdgeMap; readonly horizontal: EdgeMap };

/** Smallest sum of a Sobel mask that counts as an edge: 9 grey levels across two pixels, times the mask's weight. */
const sobelMin = 4 * 9;
/** An edge may lean up to some 35° from its axis. */
const leanMax = 0.7;
const slopeMax = 0.42;
const slopeStep = 0.02;
const supportMin = 0.5;
const linesMax = 5;
/** A first pass over every eighth pixel leaves one line in a hundred for the second pass. */
const coarseStep = 8;
const coarseSupportMin = 0.4;

const toBright = 1;
const toDark = 2;

/** Steps by direction, from a Sobel pair; none where `ground` is 1 (padding). */
export const edgeMaps = ({ width, height, data }: GreyImage, ground?: Uint8Array): EdgeMaps => {
  const steep = new Uint8Array(width * height);
  const level = new Uint8Array(width * height);
  for (let y = 1; y < height - 1; y++) {
    for (let x = 1; x < width - 1; x++) {
      const i = y * width + x;
      if (ground?.[i] === 1) continue;
      const above = i - width;
      const below = i + width;
      const falling = data[below - 1]! - data[above + 1]!;
      const rising = data[below + 1]! - data[above - 1]!;
      const gx = rising - falling + 2 * (data[i + 1]! - data[i - 1]!);
      const gy = rising + falling + 2 * (data[below]! - data[above]!);
      const sizeX = Math.abs(gx);
      const sizeY = Math.abs(gy);
      if (sizeX >= sobelMin && sizeY <= leanMax * sizeX) {
        mark(steep, i, gx > 0 ? toBright : toDark);
      }
      if (sizeY >= sobelMin && sizeX <= leanMax * sizeY) {
        mark(level, x * height + y, gy > 0 ? toBright : toDark);
      }
    }
  }
  return {
    vertical: { length: height, across: width, near: steep },
    horizontal: { length: width, across: height, near: level },
  };
};

/** Inner pixels only, so both neighbours are in the same row. */
const mark = (near: Uint8Array, i: number, sign: number): void => {
  near[i - 1]! |= sign;
  near[i]! |= sign;
  near[i + 1]! |= sign;
};

/**
 * Count of the most frequent sign along a line, as a share of all sampled pixels, 0…1. Plain numbers instead of a Line: it
 * runs a million times per image.
 */
const supportOf = (
  { length, across, near }: EdgeMap,
  offset: number,
  slope: number,
  pivot: number,
  from: number,
  to: number,
  step: number,
): number => {
  let positive = 0;
  let negative = 0;
  let places = 0;
  for (let t = Math.round(from); t <= to; t += step) {
    places++;
    const at = Math.floor(offset + slope * (t - pivot) + 0.5);
    if (t >= 0 && t < length && at >= 1 && at < across - 1) {
      const signs = near[t * across + at]!;
      positive += signs & toBright;
      negative += signs >> 1;
    }
  }
  return places === 0 ? 0 : Math.max(positive, negative) / places;
};

/** Straightness of a side between its two corners; a tenth at each end is left out for rounded corners. */
export const supportAlong = (map: EdgeMap, line: Line, from: number, to: number): number => {
  const margin = 0.1 * (to - from);
  return supportOf(map, line.offset, line.slope, line.pivot, from + margin, to - margin, 1);
};

/** The lines with the most support whose middle lies between `low` and `high`, over the span of the face. */
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
      const coarse = supportOf(map, offset, slope, pivot, span.from, span.to, coarseStep);
      if (coarse < coarseSupportMin) {
        continue;
      }
      const support = supportOf(map, offset, slope, pivot, span.from, span.to, 2);
      if (support > best.support) {
        best = { line: { offset, slope, pivot }, support };
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
