import { alignmentOf, codewordsOf, sizeOf, versionFor } from "./codewords.ts";

/** Rows of modules; true is dark. */
export type QrSymbol = readonly (readonly boolean[])[];

type Canvas = {
  readonly size: number;
  readonly dark: boolean[][];
  /** Modules of functions, which carry no data. */
  readonly taken: boolean[][];
};

/**
 * A text as a QR code at level M in bytes (ISO/IEC 18004); undefined where it is longer than 666 bytes in UTF-8. The mask is the
 * one with the least penalty. Pure.
 */
export const drawQr = (text: string): QrSymbol | undefined => {
  const bytes = new TextEncoder().encode(text);
  const version = versionFor(bytes.length);
  if (version === undefined) return undefined;
  const codewords = codewordsOf(bytes, version);
  const drawn = masks.map((_, mask) => draw(version, codewords, mask));
  const penalties = drawn.map(penaltyOf);
  return drawn[penalties.indexOf(Math.min(...penalties))];
};

const draw = (version: number, codewords: readonly number[], mask: number): QrSymbol => {
  const size = sizeOf(version);
  const blank = (): boolean[][] =>
    Array.from({ length: size }, () => Array.from({ length: size }, () => false));
  const canvas = { size, dark: blank(), taken: blank() };
  drawFunctions(canvas, version);
  drawFormat(canvas, mask);
  drawVersion(canvas, version);
  drawData(canvas, codewords, mask);
  return canvas.dark;
};

const set = ({ size, dark, taken }: Canvas, x: number, y: number, isDark: boolean): void => {
  if (x < 0 || y < 0 || x >= size || y >= size) return;
  dark[y]![x] = isDark;
  taken[y]![x] = true;
};

const drawFunctions = (canvas: Canvas, version: number): void => {
  const { size } = canvas;
  for (let at = 0; at < size; at += 1) {
    set(canvas, 6, at, at % 2 === 0);
    set(canvas, at, 6, at % 2 === 0);
  }
  const corners = [3, size - 4];
  for (const y of corners) for (const x of corners) if (x + y < 2 * size - 8) drawFinder(canvas, x, y);
  const places = alignmentOf(version);
  const last = places.length - 1;
  places.forEach((y, row) => {
    places.forEach((x, column) => {
      const isFinder = (row === 0 && (column === 0 || column === last)) || (row === last && column === 0);
      if (!isFinder) drawRings(canvas, x, y, 2, [0, 2]);
    });
  });
};

const drawFinder = (canvas: Canvas, x: number, y: number): void => drawRings(canvas, x, y, 4, [0, 1, 3]);

/** Squares around a centre; those at the given distances are dark. */
const drawRings = (canvas: Canvas, x: number, y: number, reach: number, dark: readonly number[]): void => {
  for (let dy = -reach; dy <= reach; dy += 1) {
    for (let dx = -reach; dx <= reach; dx += 1) {
      set(canvas, x + dx, y + dy, dark.includes(Math.max(Math.abs(dx), Math.abs(dy))));
    }
  }
};

/** The value with the rest of its division by a BCH polynomial (annexes C and D). */
const withRest = (value: number, restBits: number, polynomial: number): number => {
  let rest = value;
  for (let bit = 0; bit < restBits; bit += 1) rest = (rest << 1) ^ ((rest >>> (restBits - 1)) * polynomial);
  return (value << restBits) | rest;
};

const isSet = (bits: number, at: number): boolean => ((bits >>> at) & 1) === 1;

/** Level M is 00 (table 12). */
const drawFormat = (canvas: Canvas, mask: number): void => {
  const { size } = canvas;
  const bits = withRest(mask, 10, 0x537) ^ 0x5412;
  const place = [0, 1, 2, 3, 4, 5, 7, 8];
  for (let at = 0; at < 8; at += 1) {
    set(canvas, 8, place[at]!, isSet(bits, at));
    set(canvas, size - 1 - at, 8, isSet(bits, at));
  }
  for (let at = 8; at < 15; at += 1) {
    set(canvas, at === 8 ? 7 : 14 - at, 8, isSet(bits, at));
    set(canvas, 8, size - 15 + at, isSet(bits, at));
  }
  set(canvas, 8, size - 8, true);
};

const drawVersion = (canvas: Canvas, version: number): void => {
  if (version < 7) return;
  const bits = withRest(version, 12, 0x1f25);
  for (let at = 0; at < 18; at += 1) {
    const near = Math.floor(at / 3);
    const far = canvas.size - 11 + (at % 3);
    set(canvas, far, near, isSet(bits, at));
    set(canvas, near, far, isSet(bits, at));
  }
};

/** Conditions of the eight masks (table 10), by column and row. */
const masks: readonly ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
];

/** Columns in pairs from the right, up and down in turn, around the timing column (7.7.3). */
const drawData = ({ size, dark, taken }: Canvas, codewords: readonly number[], mask: number): void => {
  const isMasked = masks[mask]!;
  let bit = 0;
  for (let right = size - 1; right >= 1; right -= 2) {
    const pair = right <= 6 ? right - 1 : right;
    for (let step = 0; step < size; step += 1) {
      const y = ((pair + 1) & 2) === 0 ? size - 1 - step : step;
      for (const x of [pair, pair - 1]) {
        if (taken[y]![x]) continue;
        const byte = codewords[bit >>> 3] ?? 0;
        dark[y]![x] = isSet(byte, 7 - (bit & 7)) !== isMasked(x, y);
        bit += 1;
      }
    }
  }
};

/** Penalty of a mask (7.8.3): runs, squares, patterns like a finder, and the share of dark modules. */
const penaltyOf = (symbol: QrSymbol): number => {
  const size = symbol.length;
  const columns = symbol.map((_, x) => symbol.map((row) => row[x]!));
  const lines = [...symbol, ...columns];
  const darkCount = symbol.flat().filter(Boolean).length;
  const share = Math.ceil(Math.abs(darkCount * 20 - size * size * 10) / (size * size)) - 1;
  return lines.map(penaltyOfLine).reduce((sum, one) => sum + one, 0) + squaresIn(symbol) * 3 + share * 10;
};

const finderLike = /(?<=0000)1011101|1011101(?=0000)/g;

const penaltyOfLine = (line: readonly boolean[]): number => {
  const text = line.map(Number).join("");
  const runs = text.match(/0{5,}|1{5,}/g) ?? [];
  const ofRuns = runs.reduce((sum, run) => sum + run.length - 2, 0);
  return ofRuns + [...`0000${text}0000`.matchAll(finderLike)].length * 40;
};

const squaresIn = (symbol: QrSymbol): number => {
  let count = 0;
  for (let y = 1; y < symbol.length; y += 1) {
    for (let x = 1; x < symbol.length; x += 1) {
      const one = symbol[y]![x];
      if (one === symbol[y - 1]![x] && one === symbol[y]![x - 1] && one === symbol[y - 1]![x - 1]) count += 1;
    }
  }
  return count;
};
