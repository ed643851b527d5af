import { changeOf, type GreyFrame, insideOf, lightOf, type Region, sharpnessOf } from "./frame-facts.ts";

/** A card of ISO/IEC 7810 ID-1, or the data page of a passport (ID-3). */
export type DocumentShape = "card" | "page";

const ratio = { card: 85.6 / 53.98, page: 125 / 88 } as const;

/** The frame that the person fills, in pixels: 84 % of the frame's width or height, whichever is less. */
export const guideRegion = (
  { width, height }: { readonly width: number; readonly height: number },
  shape: DocumentShape,
): Region => {
  const across = Math.min(width * 0.84, height * 0.84 * ratio[shape]);
  const down = across / ratio[shape];
  return { x: (width - across) / 2, y: (height - down) / 2, width: across, height: down };
};

/** A straight edge: its places at both ends of the guide's side, across it, and how clear it is. */
export type Edge = { readonly from: number; readonly to: number; readonly strength: number };

export type DocumentFacts = {
  /** Sides found: top, right, bottom, left; undefined where none is clear. */
  readonly edges: readonly (Edge | undefined)[];
  /** Corners in shares of width and height, clockwise from the upper left; absent without four sides. */
  readonly corners?: readonly (readonly [x: number, y: number])[];
  /** Width of the document as a share of the guide's. */
  readonly share: number;
  /** Largest angle of a side against the guide's, in degrees. */
  readonly tiltDegrees: number;
  /** Share of the document in burnt-out patches. */
  readonly glareShare: number;
  readonly sharpness: number;
  readonly change: number;
  readonly median: number;
};

type Side = "top" | "right" | "bottom" | "left";
const sides: readonly Side[] = ["top", "right", "bottom", "left"];

/** How far from the guide's side an edge is searched, as a share of the guide's height. */
const searchShare = { inside: 0.3, outside: 0.12 } as const;
/** A clear edge: mean step of brightness along the whole side, in grey levels. */
const strengthMin = 9;
const samples = 24;
/** Both ends of an edge move apart from each other by at most this share of its length: 8 degrees. */
const slantMax = 0.14;
/** Slants that are tried, two degrees apart. */
const slantShares = [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1] as const;

/** The step of brightness across a side at a point; across is down for top and bottom. */
const stepAt = (
  { width, height, grey }: GreyFrame,
  isLevel: boolean,
  along: number,
  across: number,
): number => {
  const [x, y] = isLevel ? [Math.round(along), Math.round(across)] : [Math.round(across), Math.round(along)];
  if (x < 2 || y < 2 || x >= width - 2 || y >= height - 2) return 0;
  const at = y * width + x;
  const pitch = isLevel ? width : 1;
  return (grey[at + pitch]! + grey[at + 2 * pitch]! - grey[at - pitch]! - grey[at - 2 * pitch]!) / 2;
};

/** The mean step along a line; steps of both signs cancel, so that printed text is no edge. */
const strengthOf = (
  frame: GreyFrame,
  isLevel: boolean,
  start: number,
  end: number,
  from: number,
  to: number,
): number => {
  let sum = 0;
  for (let i = 0; i < samples; i++) {
    const share = (i + 0.5) / samples;
    sum += stepAt(frame, isLevel, start + share * (end - start), from + share * (to - from));
  }
  return Math.abs(sum) / samples;
};

/** The clearest line near one side of the guide. */
const findEdge = (frame: GreyFrame, guide: Region, side: Side): Edge | undefined => {
  const isLevel = side === "top" || side === "bottom";
  const [start, length] = isLevel ? [guide.x, guide.width] : [guide.y, guide.height];
  // The middle of the side: corners of cards are round.
  const [begin, end] = [start + 0.08 * length, start + 0.92 * length];
  const isFar = side === "bottom" || side === "right";
  const place = (isLevel ? guide.y : guide.x) + (isFar ? (isLevel ? guide.height : guide.width) : 0);
  const inwards = isFar ? -1 : 1;
  const reach = guide.height;
  let best: Edge | undefined;
  const slants = slantShares.map((share) => share * slantMax * length);
  for (let offset = -searchShare.outside * reach; offset <= searchShare.inside * reach; offset++) {
    const middle = place + inwards * offset;
    for (const slant of slants) {
      const [from, to] = [middle - slant / 2, middle + slant / 2];
      const strength = strengthOf(frame, isLevel, begin, end, from, to);
      if (strength > (best?.strength ?? strengthMin)) best = { from, to, strength };
    }
  }
  return best;
};

type Line = {
  readonly isLevel: boolean;
  readonly start: number;
  readonly length: number;
  readonly edge: Edge;
};

const acrossAt = ({ start, length, edge }: Line, along: number): number =>
  edge.from + ((along - start) / length) * (edge.to - edge.from);

/** Where a level line meets an upright one. */
const meet = (level: Line, upright: Line): readonly [number, number] => {
  let [x, y] = [upright.edge.from, level.edge.from];
  for (let i = 0; i < 4; i++) {
    y = acrossAt(level, x);
    x = acrossAt(upright, y);
  }
  return [x, y];
};

const linesOf = (guide: Region, edges: readonly (Edge | undefined)[]): readonly Line[] | undefined => {
  const lines = sides.map((side, i) => {
    const edge = edges[i];
    const isLevel = side === "top" || side === "bottom";
    return (
      edge && {
        isLevel,
        edge,
        start: isLevel ? guide.x : guide.y,
        length: isLevel ? guide.width : guide.height,
      }
    );
  });
  const found = lines.filter((line) => line !== undefined);
  return found.length === sides.length ? found : undefined;
};

const angleOf = ({ edge, length }: Line): number =>
  Math.abs((Math.atan2(edge.to - edge.from, length) * 180) / Math.PI);

/**
 * Share of small patches that are burnt out as a whole: a white card is bright, but a reflection has no print
 * in it.
 */
const glareShareOf = (frame: GreyFrame, region: Region): number => {
  const side = 4;
  let [burnt, count] = [0, 0];
  for (let y = region.y; y + side <= region.y + region.height; y += side) {
    for (let x = region.x; x + side <= region.x + region.width; x += side) {
      count++;
      if (lightOf(frame, { x, y, width: side, height: side }).burntShare === 1) burnt++;
    }
  }
  return count === 0 ? 0 : burnt / count;
};

export const measureDocument = (
  frame: GreyFrame,
  before: GreyFrame | undefined,
  shape: DocumentShape,
): DocumentFacts => {
  const guide = guideRegion(frame, shape);
  const edges = sides.map((side) => findEdge(frame, guide, side));
  const lines = linesOf(guide, edges);
  const inside = insideOf(guide, frame);
  const facts = {
    edges,
    glareShare: glareShareOf(frame, inside),
    sharpness: sharpnessOf(frame, inside),
    change: changeOf(frame, before, inside),
    median: lightOf(frame, inside).median,
  };
  if (lines === undefined) return { ...facts, share: 0, tiltDegrees: 0 };
  const [top, right, bottom, left] = lines;
  const corners = [meet(top!, left!), meet(top!, right!), meet(bottom!, right!), meet(bottom!, left!)];
  const across = (corners[1]![0] - corners[0]![0] + corners[2]![0] - corners[3]![0]) / 2;
  return {
    ...facts,
    corners: corners.map(([x, y]) => [x / frame.width, y / frame.height] as const),
    share: across / guide.width,
    tiltDegrees: Math.max(...lines.map(angleOf)),
  };
};
