import { halfRotation } from "./rectangle.ts";
import type { TextBox } from "./text-box.ts";

/**
 * A line of text in the frame of a reading direction `angle`: `u` runs along it, `v` across it (downwards
 * when the text is upright). The line keeps its own small `tilt` against the frame, around `pivot`.
 */
export type LineBand = {
  readonly from: number;
  readonly to: number;
  /** v at u = pivot. */
  readonly across: number;
  readonly pivot: number;
  readonly height: number;
  readonly tilt: number;
};

/**
 * Lines with the same direction. It is not yet known which end is the beginning: `angle` is modulo a half
 * rotation.
 */
export type LineGroup = { readonly angle: number; readonly lines: readonly LineBand[] };

/** Chosen with the reader on the development images (docs/measurements/documents.md). */
const limits = {
  /** Shorter boxes show no direction. */
  aspectMin: 3,
  /** From this aspect ratio on, the direction of a box is reliable. */
  aspectReliable: 8,
  toleranceReliable: 0.07,
  toleranceShort: 0.14,
  lineAspectMin: 7,
  /** Fragments of one line: shift across, ratio of heights, gap between them in heights. */
  shiftMax: 0.45,
  heightRatioMax: 1.9,
  gapMax: 2.5,
} as const;

const aspectOf = ({ width, height }: TextBox): number => width / height;

/** v of a line at u of its frame. */
export const acrossAt = (line: LineBand, u: number): number =>
  line.across + (u - line.pivot) * Math.tan(line.tilt);

/** The same line read from the other end. */
export const rotatedLine = (line: LineBand): LineBand => ({
  ...line,
  from: -line.to,
  to: -line.from,
  pivot: -line.pivot,
  across: -line.across,
});

const groupBoxes = (boxes: readonly TextBox[]): readonly { angle: number; boxes: TextBox[] }[] => {
  const groups: { angle: number; boxes: TextBox[] }[] = [];
  for (const box of boxes) {
    const isSure = aspectOf(box) >= limits.aspectReliable;
    const tolerance = isSure ? limits.toleranceReliable : limits.toleranceShort;
    const group = groups.find(({ angle }) => Math.abs(halfRotation(box.angle - angle)) < tolerance);
    if (group !== undefined) {
      group.boxes.push(box);
    } else if (isSure) {
      groups.push({ angle: box.angle, boxes: [box] });
    }
  }
  return groups;
};

const lineOfBox = (box: TextBox, angle: number): LineBand => {
  const [c, s] = [Math.cos(angle), Math.sin(angle)];
  const u = box.x * c + box.y * s;
  return {
    from: u - box.width / 2,
    to: u + box.width / 2,
    across: box.y * c - box.x * s,
    pivot: u,
    height: box.height,
    tilt: aspectOf(box) > limits.aspectReliable ? halfRotation(box.angle - angle) : 0,
  };
};

const continues = (line: LineBand, part: LineBand): boolean => {
  const [low, high] = [Math.min(line.height, part.height), Math.max(line.height, part.height)];
  const shift = Math.abs(acrossAt(line, part.pivot) - part.across);
  const gap = Math.max(part.from - line.to, line.from - part.to);
  return shift < limits.shiftMax * high && high < limits.heightRatioMax * low && gap < limits.gapMax * high;
};

/** Joins fragments, longest first: the longest one defines direction and height. */
const joinFragments = (parts: readonly LineBand[]): readonly LineBand[] => {
  const lines: LineBand[] = [];
  for (const part of parts) {
    const i = lines.findIndex((line) => continues(line, part));
    const line = lines[i];
    if (line === undefined) {
      lines.push(part);
    } else {
      lines[i] = { ...line, from: Math.min(line.from, part.from), to: Math.max(line.to, part.to) };
    }
  }
  return lines;
};

const lengthOf = (line: LineBand): number => line.to - line.from;

const longest = ({ lines }: LineGroup): number => Math.max(...lines.map(lengthOf));

/** Groups long lines by direction, the direction with the longest line first. */
export const groupLines = (boxes: readonly TextBox[]): readonly LineGroup[] => {
  const long = boxes.filter((box) => aspectOf(box) > limits.aspectMin).sort((a, b) => b.width - a.width);
  return groupBoxes(long)
    .map(({ angle, boxes: own }) => ({
      angle,
      lines: joinFragments(own.map((box) => lineOfBox(box, angle))).filter(
        (line) => lengthOf(line) / line.height > limits.lineAspectMin,
      ),
    }))
    .filter(({ lines }) => lines.length > 0)
    .sort((a, b) => longest(b) - longest(a));
};
