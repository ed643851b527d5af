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
 * The search through one map: the pixels that were seen, those to go through, and the first and last column
 * of the current patch in each row. One set serves all patches: objects for each row cost more than the
 * search.
 */
type Search = {
  readonly map: TextMap;
  readonly seen: Uint8Array;
  readonly stack: number[];
  readonly first: Int32Array;
  readonly last: Int32Array;
};

const makeSearch = (map: TextMap): Search => ({
  map,
  seen: new Uint8Array(map.data.length),
  stack: [],
  first: new Int32Array(map.height).fill(map.width),
  last: new Int32Array(map.height).fill(-1),
});

/** A connected patch of text: its first and last row, and the sum of its probabilities. */
type Patch = {
  readonly top: number;
  readonly bottom: number;
  readonly sum: number;
  readonly pixels: number;
};

const isNew = ({ map, seen }: Search, i: number): boolean => seen[i] === 0 && map.data[i]! >= limits.pixel;

const stackUp = (search: Search, i: number): void => {
  if (!isNew(search, i)) return;
  search.seen[i] = 1;
  search.stack.push(i);
};

/** Flood fill over the four neighbours from one pixel; marks the seen pixels. */
const fillFrom = (search: Search, start: number): Patch => {
  const { map, stack, first, last } = search;
  const { width, data } = map;
  let top = map.height;
  let bottom = 0;
  let sum = 0;
  let pixels = 0;
  stackUp(search, start);
  for (let i = stack.pop(); i !== undefined; i = stack.pop()) {
    const x = i % width;
    const y = (i - x) / width;
    sum += data[i]!;
    pixels++;
    top = Math.min(top, y);
    bottom = Math.max(bottom, y);
    first[y] = Math.min(first[y]!, x);
    last[y] = Math.max(last[y]!, x);
    if (x > 0) stackUp(search, i - 1);
    if (x < width - 1) stackUp(search, i + 1);
    if (i >= width) stackUp(search, i - width);
    if (i + width < data.length) stackUp(search, i + width);
  }
  return { top, bottom, sum, pixels };
};

/** The corners of the rows of a patch, in image pixels. */
const cornersOf = ({ first, last }: Search, { top, bottom }: Patch, kx: number, ky: number) => {
  const corners: (readonly [number, number])[] = [];
  for (let y = top; y <= bottom; y++) {
    const [left, right] = [first[y]! * kx, (last[y]! + 1) * kx];
    corners.push([left, y * ky], [left, (y + 1) * ky], [right, y * ky], [right, (y + 1) * ky]);
  }
  return corners;
};

/**
 * The box of a patch in image pixels, grown by the shrinkage of the detector's training text; undefined for
 * specks.
 */
const boxOf = (search: Search, patch: Patch, kx: number, ky: number): TextBox | undefined => {
  const score = patch.sum / patch.pixels;
  if (patch.pixels < limits.pixelsMin || score < limits.score) {
    return undefined;
  }
  const box = smallestRectangle(cornersOf(search, patch, kx, ky));
  if (box === undefined || Math.min(box.width / kx, box.height / ky) < limits.shortSideMin) {
    return undefined;
  }
  const grow = (box.width * box.height * limits.growth) / (box.width + box.height);
  return { ...box, width: box.width + grow, height: box.height + grow, score };
};

/** Every text box of a map; `kx`, `ky` = image pixels per map pixel. */
export const boxesOfMap = (map: TextMap, kx: number, ky: number): readonly TextBox[] => {
  const search = makeSearch(map);
  const boxes: TextBox[] = [];
  for (let i = nextStart(search, 0); i < map.data.length; i = nextStart(search, i + 1)) {
    const patch = fillFrom(search, i);
    const box = boxOf(search, patch, kx, ky);
    if (box !== undefined) boxes.push(box);
    search.first.fill(map.width, patch.top, patch.bottom + 1);
    search.last.fill(-1, patch.top, patch.bottom + 1);
  }
  return boxes;
};

/** The next pixel of a patch that was not seen; the end of the map without one. */
const nextStart = (search: Search, from: number): number => {
  const { length } = search.map.data;
  let i = from;
  while (i < length && !isNew(search, i)) i++;
  return i;
};
