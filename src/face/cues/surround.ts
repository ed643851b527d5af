import type { Box, GreyImage, Point } from "#imaging/image";
import { measureRim } from "./rim.ts";
import { bestLines, type EdgeMaps, edgeMaps, type Line, supportAlong } from "./straight-edge.ts";

/**
 * A closed frame of straight edges around the face. Physical reason: a screen or a sheet ends in four straight
 * edges, and the lower one cuts across the neck or chest, where a real person's body leaves no straight edge.
 */
export type Surround = {
  /** Smallest share of any of the four sides that is a straight edge, 0…1; 0 when no frame was found. */
  readonly closedFrame: number;
  /** The same for three sides that include the lower one: the fourth may lie outside the picture. */
  readonly openFrame: number;
  readonly corners: readonly Point[];
  /** Share of the frame's sides that a rim of one colour runs along, 0…1; absent without a closed frame. */
  readonly rim?: number;
};

/** Where the frame lies relative to the face, in widths and heights of the face box. */
const reach = 3.5;
/** Lines this near to the picture's own border are the border of a decoder or a scan. */
const borderShare = 0.015;

type Sides = { readonly left: Line; readonly right: Line; readonly top: Line; readonly bottom: Line };

/**
 * Searches a grey picture of some 480 px for the frame. `face` is the face's box in the same pixels. Undefined
 * when the face leaves no room around it: the cue is missing then, not negative.
 */
export const measureSurround = (grey: GreyImage, face: Box): Surround | undefined => {
  const hasRoom = face.width < 0.6 * grey.width && face.height < 0.8 * grey.height;
  if (!hasRoom) {
    return undefined;
  }
  const maps = edgeMaps(grey);
  const candidates = sideCandidates(maps, grey, face);
  let best: Surround = { closedFrame: 0, openFrame: 0, corners: [] };
  for (const left of candidates.left) {
    for (const right of candidates.right) {
      for (const bottom of candidates.bottom) {
        for (const top of candidates.top) {
          best = judgeFrame(maps, grey, face, { left, right, top, bottom }, best.closedFrame) ?? best;
        }
      }
    }
  }
  const openFrame = Math.max(best.closedFrame, bestOpenFrame(maps, grey, face, candidates));
  const rim = measureRim(grey, best.corners);
  return { ...best, openFrame, ...(rim !== undefined && { rim }) };
};

type Candidates = { readonly [side in keyof Sides]: readonly Line[] };

const sideCandidates = (maps: EdgeMaps, grey: GreyImage, face: Box): Candidates => {
  const [left, right, top, bottom] = [face.x, face.x + face.width, face.y, face.y + face.height];
  const edge = borderShare * Math.max(grey.width, grey.height);
  const vertical = { from: top, to: bottom };
  const horizontal = { from: left, to: right };
  const farX = reach * face.width;
  const farY = reach * face.height;
  return {
    left: bestLines(maps.vertical, vertical, Math.max(edge, left - farX), left - 0.04 * face.width),
    right: bestLines(
      maps.vertical,
      vertical,
      right + 0.04 * face.width,
      Math.min(grey.width - edge, right + farX),
    ),
    top: bestLines(maps.horizontal, horizontal, Math.max(edge, top - farY), top),
    bottom: bestLines(maps.horizontal, horizontal, bottom, Math.min(grey.height - edge, bottom + farY)),
  };
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

/** The frame of these sides when its support is above `known`. The dear test of padding comes last, for few. */
const judgeFrame = (
  maps: EdgeMaps,
  grey: GreyImage,
  face: Box,
  sides: Sides,
  known: number,
): Surround | undefined => {
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
  const support = Math.min(
    supportAlong(maps.vertical, left, corners[0][1], corners[3][1]),
    supportAlong(maps.vertical, right, corners[1][1], corners[2][1]),
    supportAlong(maps.horizontal, top, corners[0][0], corners[1][0]),
    supportAlong(maps.horizontal, bottom, corners[3][0], corners[2][0]),
  );
  return support > known && !isPadding(grey, corners)
    ? { closedFrame: support, openFrame: support, corners }
    : undefined;
};

/**
 * Whether all that lies outside of the corners is one colour: a border that a program laid around a picture. No
 * sensor gives such an area, so it is no rim of a thing.
 */
const isPadding = (grey: GreyImage, corners: Corners): boolean => {
  const { width, height, data } = grey;
  const sides = halfPlanes(corners);
  const counts = new Uint32Array(256);
  let total = 0;
  const step = 6;
  for (let y = 1; y < height; y += step) {
    for (let x = 1; x < width; x += step) {
      if (isBeyond(sides, x, y)) {
        counts[data[y * width + x]!]!++;
        total++;
      }
    }
  }
  const middle = medianOf(counts, total);
  let alike = 0;
  for (let value = Math.max(0, middle - 3); value <= Math.min(255, middle + 3); value++) {
    alike += counts[value]!;
  }
  return alike >= 0.95 * total;
};

const medianOf = (counts: Uint32Array, total: number): number => {
  let value = 0;
  for (let seen = counts[0]!; value < 255 && seen <= total >> 1; ) {
    value++;
    seen += counts[value]!;
  }
  return value;
};

type Corners = readonly [Point, Point, Point, Point];

/** Three numbers a side, for a·x + b·y + c: distance of (x, y) from it, in pixels, negative outside. Corners run clockwise. */
const halfPlanes = (corners: Corners): Float64Array => {
  const sides = new Float64Array(12);
  for (const [i, [ax, ay]] of corners.entries()) {
    const [bx, by] = corners[(i + 1) % corners.length]!;
    const length = Math.hypot(bx - ax, by - ay);
    sides[3 * i] = (ay - by) / length;
    sides[3 * i + 1] = (bx - ax) / length;
    sides[3 * i + 2] = ((by - ay) * ax - (bx - ax) * ay) / length;
  }
  return sides;
};

/** Whether a place lies some pixels off the nearest side, where compression no longer rings. */
const isBeyond = (sides: Float64Array, x: number, y: number): boolean => {
  for (let i = 0; i < 12; i += 3) {
    if (sides[i]! * x + sides[i + 1]! * y + sides[i + 2]! < -4) return true;
  }
  return false;
};

/** A frame that reaches the border everywhere is the picture's own. */
const leavesMargin = (corners: Corners, grey: GreyImage): boolean => {
  const [a, b, c, d] = corners;
  const area = Math.abs((c[0] - a[0]) * (d[1] - b[1]) - (d[0] - b[0]) * (c[1] - a[1])) / 2;
  return area < 0.93 * grey.width * grey.height;
};

const nearlyParallel = (a: Line, b: Line): boolean => Math.abs(a.slope - b.slope) < 0.22;

/** The sides of a turned rectangle turn together: a steep line's lean is the opposite of a level one's. */
const isRectangleLike = (steep: Line, level: Line): boolean => Math.abs(steep.slope + level.slope) < 0.3;

const widthOf = (corners: Corners): number =>
  Math.min(corners[1][0] - corners[0][0], corners[2][0] - corners[3][0]);

/**
 * Left, lower and right side with the upper one outside the picture. Never left, upper and right: that is a
 * door or a window behind a real person.
 */
const bestOpenFrame = (maps: EdgeMaps, grey: GreyImage, face: Box, candidates: Candidates): number => {
  let best = 0;
  for (const left of candidates.left) {
    for (const right of candidates.right) {
      for (const bottom of candidates.bottom) {
        const [a, b] = [meet(left, bottom), meet(right, bottom)];
        const isPlausible =
          inside(a, grey) && inside(b, grey) && nearlyParallel(left, right) && isRectangleLike(left, bottom);
        const corners = [[a[0], 0], [b[0], 0], b, a] as const;
        if (!isPlausible || b[0] - a[0] < 1.1 * face.width) {
          continue;
        }
        const support = Math.min(
          supportAlong(maps.vertical, left, face.y - 0.3 * face.height, a[1]),
          supportAlong(maps.vertical, right, face.y - 0.3 * face.height, b[1]),
          supportAlong(maps.horizontal, bottom, a[0], b[0]),
        );
        if (support > best && !isPadding(grey, corners)) best = support;
      }
    }
  }
  return best;
};
