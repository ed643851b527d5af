import type { TextBox } from "./text-box.ts";
import type { LineBand } from "./text-lines.ts";

/** Chosen on the Slovak cards and on generated cards (docs/measurements/documents.md). */
const limits = {
  /** A single letter is about as high as wide, so its box shows no direction. */
  letterAspectMax: 2.5,
  /** Steeper text belongs to a border or a serial number along an edge. */
  angleMax: 0.35,
  /**
   * Fragments of one line: shift across and gap in heights of the lower one, and the ratio of the heights.
   */
  shiftMax: 0.3,
  gapMax: 0.5,
  heightRatioMax: 1.5,
} as const;

/** The box with its width along the rows of the image; undefined for text that runs up or down. */
const levelled = (box: TextBox): TextBox | undefined => {
  if (Math.abs(box.angle) <= limits.angleMax) {
    return box;
  }
  const isUpended = Math.PI / 2 - Math.abs(box.angle) <= limits.angleMax;
  return isUpended && box.width <= box.height * limits.letterAspectMax
    ? {
        ...box,
        width: box.height,
        height: box.width,
        angle: box.angle - Math.sign(box.angle) * (Math.PI / 2),
      }
    : undefined;
};

const bandOf = ({ x, y, width, height, angle }: TextBox): LineBand => ({
  from: x - width / 2,
  to: x + width / 2,
  across: y,
  pivot: x,
  height,
  tilt: width > 3 * height ? angle : 0,
});

const continues = (band: LineBand, next: LineBand): boolean => {
  const [low, high] = [Math.min(band.height, next.height), Math.max(band.height, next.height)];
  const gap = Math.max(next.from - band.to, band.from - next.to);
  return (
    high <= low * limits.heightRatioMax &&
    gap <= low * limits.gapMax &&
    Math.abs(band.across - next.across) <= low * limits.shiftMax
  );
};

const lengthOf = ({ from, to }: LineBand): number => to - from;

const joined = (band: LineBand, next: LineBand): LineBand => {
  const [long, short] = lengthOf(band) >= lengthOf(next) ? [band, next] : [next, band];
  return {
    ...long,
    from: Math.min(long.from, short.from),
    to: Math.max(long.to, short.to),
    height: Math.max(long.height, short.height),
  };
};

/** The printed lines of an upright image, from the left; words close together are one line. */
export const printedBands = (boxes: readonly TextBox[]): readonly LineBand[] => {
  const bands: LineBand[] = [];
  const parts = boxes.flatMap((box) => levelled(box) ?? []).map(bandOf);
  for (const part of parts.toSorted((a, b) => a.from - b.from)) {
    const i = bands.findIndex((band) => continues(band, part));
    const band = bands[i];
    if (band === undefined) bands.push(part);
    else bands[i] = joined(band, part);
  }
  return bands;
};
