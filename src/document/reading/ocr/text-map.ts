import { smallestRectangle } from "./rectangle.ts";
import type { TextBox } from "./text-box.ts";

/** Output of the detector: probability of text for each pixel of its input, row by row. */
export type TextMap = { readonly width: number; readonly height: number; readonly data: Float32Array };

/**
 * Settings of the detector's authors (PaddleOCR, DB post-processing), with the threshold and growth measured
 * for documents.
 */
const limits = { pixel: 0.3, score: 0.5, pixelsMin: 6, shortSideMin: 3, growth: 1.6 } as const;

/**
 * A connected patch of text: for each of its rows the first and last column, and the sum of its
 * probabilities.
 */
type Patch = {
  readonly rows: Map<number, [number, number]>;
  readonly sum: number;
  readonly pixels: number;
};

const widen = (rows: Patch["rows"], x: number, y: number): void => {
  const row = rows.get(y);
  if (row === undefined) {
    rows.set(y, [x, x]);
    return;
  }
  row[0] = Math.min(row[0], x);
  row[1] = Math.max(row[1], x);
};

/** Flood fill over the four neighbours from one pixel; marks the visited pixels. */
const patchAt = (map: TextMap, start: number, seen: Uint8Array, stack: Int32Array): Patch => {
  const { width, data } = map;
  const rows: Patch["rows"] = new Map();
  let [top, sum, pixels] = [0, 0, 0];
  const attempt = (i: number) => {
    if (seen[i] === 0 && data[i]! >= limits.pixel) {
      seen[i] = 1;
      stack[top++] = i;
    }
  };
  attempt(start);
  while (top > 0) {
    const i = stack[--top]!;
    const x = i % width;
    sum += data[i]!;
    pixels++;
    widen(rows, x, (i - x) / width);
    if (x > 0) attempt(i - 1);
    if (x < width - 1) attempt(i + 1);
    if (i >= width) attempt(i - width);
    if (i + width < data.length) attempt(i + width);
  }
  return { rows, sum, pixels };
};

/**
 * The box of a patch in image pixels, grown by the shrinkage of the detector's training text; undefined for
 * specks.
 */
const boxOf = (patch: Patch, kx: number, ky: number): TextBox | undefined => {
  const score = patch.sum / patch.pixels;
  if (patch.pixels < limits.pixelsMin || score < limits.score) {
    return undefined;
  }
  const corners = [...patch.rows].flatMap(([y, [from, to]]) =>
    [from, to + 1].flatMap((x) => [[x * kx, y * ky] as const, [x * kx, (y + 1) * ky] as const]),
  );
  const box = smallestRectangle(corners);
  if (box === undefined || Math.min(box.width / kx, box.height / ky) < limits.shortSideMin) {
    return undefined;
  }
  const grow = (box.width * box.height * limits.growth) / (box.width + box.height);
  return { ...box, width: box.width + grow, height: box.height + grow, score };
};

/** Every text box of a map; `kx`, `ky` = image pixels per map pixel. */
export const boxesOfMap = (map: TextMap, kx: number, ky: number): readonly TextBox[] => {
  const seen = new Uint8Array(map.data.length);
  const stack = new Int32Array(map.data.length);
  const boxes: TextBox[] = [];
  for (let i = 0; i < map.data.length; i++) {
    if (seen[i] === 0 && map.data[i]! >= limits.pixel) {
      const box = boxOf(patchAt(map, i, seen, stack), kx, ky);
      if (box !== undefined) boxes.push(box);
    }
  }
  return boxes;
};
