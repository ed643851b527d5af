import type { Box, GreyImage, Point } from "#machine/imaging/image";
import { type EdgeMap, type EdgeMaps, edgeMaps } from "./edge-map.ts";
import type { Surround } from "./measured-cues.ts";
import { findPlainGround } from "./padding.ts";
import { measureRim } from "./rim.ts";
import { bestLines, type Line, straightnessOf } from "./straight-edge.ts";

/** Where the frame lies relative to the face, in widths and heights of the face box. */
const reach = 3.5;
/** Lines this near to the image border are the border of a decoder or a scan. */
const borderShare = 0.015;

type Corners = readonly [Point, Point, Point, Point];

/** A line that may be a side, and how straight the edge is between two places along it. */
type Side = Line & { readonly straightness: (from: number, to: number) => number };

type Sides = { readonly left: Side; readonly right: Side; readonly top: Side; readonly bottom: Side };

/**
 * Searches a grey image of some 480 px for the frame. `face` is the box of the face in the same pixels.
 * Undefined where the face leaves no margins: the cue is missing then, not negative.
 */
export const measureSurround = (grey: GreyImage, face: Box): Surround | undefined => {
  const hasMargins = face.width < 0.6 * grey.width && face.height < 0.8 * grey.height;
  if (!hasMargins) {
    return undefined;
  }
  const maps = edgeMaps(grey, findPlainGround(grey));
  const candidates = sideCandidates(maps, grey, face);
  let best: Surround = { closedFrame: 0, openFrame: 0, corners: [] };
  for (const left of candidates.left) {
    for (const right of candidates.right) {
      for (const bottom of candidates.bottom) {
        for (const top of candidates.top) {
          best = judgeFrame(grey, face, { left, right, top, bottom }, best.closedFrame) ?? best;
        }
      }
    }
  }
  const openFrame = Math.max(best.closedFrame, bestOpenFrame(grey, face, candidates));
  const rim = measureRim(grey, best.corners);
  return { ...best, openFrame, ...(rim !== undefined && { rim }) };
};

type Candidates = { readonly [side in keyof Sides]: readonly Side[] };

/** Length of the line list of a side: a hand may hide the best line. */
const candidatesMax = 8;

/**
 * The search for a side runs beside the face and beyond both its ends: fingers hide a part of the rim. Shares
 * of the face height and width to add before and after the face.
 */
const besideSpans = [
  [0, 0],
  [1, 0],
  [0, 1],
  [1.2, 1.2],
] as const;
const acrossSpans = [
  [0, 0],
  [0.6, 0.6],
  [0.8, 0],
  [0, 0.8],
] as const;

const sideCandidates = (maps: EdgeMaps, grey: GreyImage, face: Box): Candidates => {
  const [left, right, top, bottom] = [face.x, face.x + face.width, face.y, face.y + face.height];
  const edge = borderShare * Math.max(grey.width, grey.height);
  const upright = besideSpans.map(([before, after]) => ({
    from: Math.max(0, top - before * face.height),
    to: Math.min(grey.height - 1, bottom + after * face.height),
  }));
  const level = acrossSpans.map(([before, after]) => ({
    from: Math.max(0, left - before * face.width),
    to: Math.min(grey.width - 1, right + after * face.width),
  }));
  const farX = reach * face.width;
  const farY = reach * face.height;
  const steep = (low: number, high: number) => linesOf(maps.vertical, upright, low, high, (top + bottom) / 2);
  const flat = (low: number, high: number) => linesOf(maps.horizontal, level, low, high, (left + right) / 2);
  return {
    left: steep(Math.max(edge, left - farX), left - 0.04 * face.width),
    right: steep(right + 0.04 * face.width, Math.min(grey.width - edge, right + farX)),
    top: flat(Math.max(edge, top - farY), top),
    bottom: flat(bottom, Math.min(grey.height - edge, bottom + farY)),
  };
};

/** The best lines of every span, without duplicates. */
const linesOf = (
  map: EdgeMap,
  spans: readonly { readonly from: number; readonly to: number }[],
  low: number,
  high: number,
  middle: number,
): readonly Side[] => {
  const at = ({ offset, slope, pivot }: Line): number => offset + slope * (middle - pivot);
  const kept: Line[] = [];
  for (const line of spans.flatMap((span) => bestLines(map, span, low, high))) {
    const isNew = kept.every(
      (one) => Math.abs(at(one) - at(line)) > 3 || Math.abs(one.slope - line.slope) > 0.05,
    );
    if (isNew && kept.length < candidatesMax) kept.push(line);
  }
  return kept.map((line) => ({ ...line, straightness: straightnessOf(map, line) }));
};

/** Where a steep line x = p + s·(y - c) meets a flat one y = q + t·(x - d). */
const meet = (steep: Line, level: Line): Point => {
  const y =
    (level.offset + level.slope * (steep.offset - steep.slope * steep.pivot - level.pivot)) /
    (1 - level.slope * steep.slope);
  return [steep.offset + steep.slope * (y - steep.pivot), y];
};

const inside = ([x, y]: Point, { width, height }: GreyImage): boolean =>
  x >= -0.02 * width && y >= -0.02 * height && x <= 1.02 * width && y <= 1.02 * height;

/** The frame of these sides when its support is above `known`. */
const judgeFrame = (grey: GreyImage, face: Box, sides: Sides, known: number): Surround | undefined => {
  const { left, right, top, bottom } = sides;
  const corners = [meet(left, top), meet(right, top), meet(right, bottom), meet(left, bottom)] as const;
  const isPlausible =
    corners.every((corner) => inside(corner, grey)) &&
    nearlyParallel(left, right) &&
    nearlyParallel(top, bottom) &&
    isRectangleLike(left, top) &&
    widthOf(corners) > 1.1 * face.width &&
    leavesMargin(corners, grey);
  if (!isPlausible) {
    return undefined;
  }
  const support = supportOf(sides, corners);
  return support > known ? { closedFrame: support, openFrame: support, corners } : undefined;
};

/**
 * Geometric mean of the straightness of the four sides: the others compensate for a side that fingers hide in
 * part. 0 where a side is almost absent.
 */
const supportOf = ({ left, right, top, bottom }: Sides, [a, b, c, d]: Corners): number => {
  let product = 1;
  for (const [side, from, to] of [
    [left, a[1], d[1]],
    [right, b[1], c[1]],
    [top, a[0], b[0]],
    [bottom, d[0], c[0]],
  ] as const) {
    const support = side.straightness(from, to);
    if (support < sideSupportMin) return 0;
    product *= support;
  }
  return product ** 0.25;
};

/** Least share of a side that must be a straight edge. */
const sideSupportMin = 0.5;

/** A frame that reaches the border everywhere is the border of the image. */
const leavesMargin = (corners: Corners, grey: GreyImage): boolean => {
  const [a, b, c, d] = corners;
  const area = Math.abs((c[0] - a[0]) * (d[1] - b[1]) - (d[0] - b[0]) * (c[1] - a[1])) / 2;
  return area < 0.93 * grey.width * grey.height;
};

const nearlyParallel = (a: Line, b: Line): boolean => Math.abs(a.slope - b.slope) < 0.22;

/**
 * The sides of a rotated rectangle rotate together: the lean of a steep line is the opposite of that of a
 * level line.
 */
const isRectangleLike = (steep: Line, level: Line): boolean => Math.abs(steep.slope + level.slope) < 0.3;

const widthOf = (corners: Corners): number =>
  Math.min(corners[1][0] - corners[0][0], corners[2][0] - corners[3][0]);

/**
 * Left, lower and right side, with the upper side outside the image. Never left, upper and right: that is a
 * door or a window behind a living person.
 */
const bestOpenFrame = (grey: GreyImage, face: Box, candidates: Candidates): number => {
  let best = 0;
  for (const left of candidates.left) {
    for (const right of candidates.right) {
      for (const bottom of candidates.bottom) {
        const [a, b] = [meet(left, bottom), meet(right, bottom)];
        const isPlausible =
          inside(a, grey) && inside(b, grey) && nearlyParallel(left, right) && isRectangleLike(left, bottom);
        if (!isPlausible || b[0] - a[0] < 1.1 * face.width) {
          continue;
        }
        const support = Math.min(
          left.straightness(face.y - 0.3 * face.height, a[1]),
          right.straightness(face.y - 0.3 * face.height, b[1]),
          bottom.straightness(a[0], b[0]),
        );
        if (support > best) best = support;
      }
    }
  }
  return best;
};
