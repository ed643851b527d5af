import { selectRank } from "#contract/statistics/select-rank";
import type { Image } from "#machine/imaging/image";

/**
 * Spread of the card colour along a second axis, in hundredths of the natural log of a channel ratio.
 * Physical reason: under one lamp, grey ink varies along one colour axis alone, and the second axis stays at
 * the noise floor. Coloured security print fills both axes (docs/measurements/attacks.md, Attacks on
 * documents).
 */
export type ColourSpread = {
  /** Deviation along the second axis. */
  readonly second: number;
  /** Deviation along the first axis, with the colour of the lamp. */
  readonly first: number;
  /** Share of the blocks that are neither overexposed nor dark. */
  readonly usedShare: number;
};

/** Size of the rectified card for this measurement, and the border to leave out. */
export const colourFrame = { width: 512, aspect: 1.5, inset: 0.02 } as const;

const blockSide = 4;
/** Blocks to either side whose mean is the local light: shadows and mixed lamps vary slowly. */
const lightRadius = 24;
/**
 * The largest fifth of the residuals is left out: pens, fingers and stickers may be on a copy. AUC 0.995; the
 * tried shares gave 0.990 to 0.995.
 */
const keptShare = 0.8;
const blownOut = 252;
/** Below this share of the bright level, a channel ratio is noise. */
const darkShare = 0.25;
const blocksMin = 200;

/** Measures a rectified card (`colourFrame`). Undefined where too few blocks have light. */
export const measureColourSpread = (card: Image): ColourSpread | undefined => {
  const blocks = blocksOf(card);
  const count = countOf(blocks.used);
  return count < blocksMin ? undefined : axesOf(residualsOf(blocks, count), count / blocks.used.length);
};

// Plain loops, here and below: a card has thousands of blocks, and objects and closures for each took half of
// the time.

type Blocks = {
  readonly across: number;
  readonly down: number;
  readonly red: Float64Array;
  readonly blue: Float64Array;
  readonly light: Float64Array;
  /** 1 where the block counts. */
  readonly used: Uint8Array;
};

const countOf = (used: Uint8Array): number => {
  let count = 0;
  for (let i = 0; i < used.length; i++) count += used[i]!;
  return count;
};

const blocksOf = (card: Image): Blocks => {
  const across = Math.floor(card.width / blockSide);
  const down = Math.floor(card.height / blockSide);
  const plane = () => new Float64Array(across * down);
  const used = new Uint8Array(across * down);
  const blocks = { across, down, red: plane(), blue: plane(), light: plane(), used };
  for (let y = 0, i = 0; y < down; y++) {
    for (let x = 0; x < across; x++, i++) writeBlock(blocks, i, card, x * blockSide, y * blockSide);
  }
  const dark = darkShare * brightLevelOf(blocks);
  for (let i = 0; i < used.length; i++) if (blocks.light[i]! <= dark) used[i] = 0;
  return blocks;
};

/**
 * Log ratios of red and blue to green over a block; an offset of 8 keeps the noise of dark blocks bounded.
 */
const writeBlock = (blocks: Blocks, i: number, { data, width }: Image, left: number, top: number): void => {
  const pixels = blockSide * blockSide;
  let red = 0;
  let green = 0;
  let blue = 0;
  let blown = 0;
  for (let y = top; y < top + blockSide; y++) {
    for (let at = (y * width + left) * 3, end = at + blockSide * 3; at < end; at += 3) {
      const r = data[at]!;
      const g = data[at + 1]!;
      const b = data[at + 2]!;
      red += r;
      green += g;
      blue += b;
      if (r > blownOut || g > blownOut || b > blownOut) blown++;
    }
  }
  blocks.red[i] = 100 * Math.log((red / pixels + 8) / (green / pixels + 8));
  blocks.blue[i] = 100 * Math.log((blue / pixels + 8) / (green / pixels + 8));
  blocks.light[i] = (red / pixels + green / pixels + blue / pixels) / 3;
  blocks.used[i] = blown <= pixels / 2 ? 1 : 0;
};

/** The light of the brightest tenth of the blocks that are not overexposed; 0 without such blocks. */
const brightLevelOf = ({ light, used }: Blocks): number => {
  const lit = new Float64Array(light.length);
  let count = 0;
  for (let i = 0; i < light.length; i++) if (used[i] === 1) lit[count++] = light[i]!;
  return count === 0 ? 0 : selectRank(lit, count, Math.floor(count * 0.9));
};

type Residuals = { readonly red: Float64Array; readonly blue: Float64Array };

/** Difference of each of the `count` used blocks from the mean of its surroundings, by summed-area tables. */
const residualsOf = (blocks: Blocks, count: number): Residuals => {
  const { across, down, used } = blocks;
  const { red, blue, counts } = tablesOf(blocks);
  const residuals = { red: new Float64Array(count), blue: new Float64Array(count) };
  const stride = across + 1;
  for (let y = 0, i = 0, to = 0; y < down; y++) {
    const top = Math.max(0, y - lightRadius) * stride;
    const bottom = Math.min(down, y + lightRadius + 1) * stride;
    for (let x = 0; x < across; x++, i++) {
      if (used[i] === 0) continue;
      const left = Math.max(0, x - lightRadius);
      const right = Math.min(across, x + lightRadius + 1);
      const around = sumWithin(counts, top, bottom, left, right);
      residuals.red[to] = blocks.red[i]! - sumWithin(red, top, bottom, left, right) / around;
      residuals.blue[to] = blocks.blue[i]! - sumWithin(blue, top, bottom, left, right) / around;
      to++;
    }
  }
  return residuals;
};

/** `top` and `bottom` are the first places of their rows in the table. */
const sumWithin = (table: Float64Array, top: number, bottom: number, left: number, right: number): number =>
  table[bottom + right]! - table[top + right]! - table[bottom + left]! + table[top + left]!;

/** Summed-area tables of the used blocks, with a row and a column of zeros before the first. */
const tablesOf = ({ across, down, red, blue, used }: Blocks) => {
  const stride = across + 1;
  const table = () => new Float64Array(stride * (down + 1));
  const tables = { red: table(), blue: table(), counts: table() };
  for (let y = 0, i = 0; y < down; y++) {
    let redOfRow = 0;
    let blueOfRow = 0;
    let countOfRow = 0;
    for (let x = 0, to = (y + 1) * stride + 1; x < across; x++, i++, to++) {
      if (used[i] === 1) {
        redOfRow += red[i]!;
        blueOfRow += blue[i]!;
        countOfRow++;
      }
      tables.red[to] = tables.red[to - stride]! + redOfRow;
      tables.blue[to] = tables.blue[to - stride]! + blueOfRow;
      tables.counts[to] = tables.counts[to - stride]! + countOfRow;
    }
  }
  return tables;
};

/** Roots of the eigenvalues of the covariance of the smallest residuals. */
const axesOf = ({ red, blue }: Residuals, usedShare: number): ColourSpread => {
  const squares = new Float64Array(red.length);
  for (let i = 0; i < squares.length; i++) squares[i] = red[i]! * red[i]! + blue[i]! * blue[i]!;
  const rank = Math.ceil(squares.length * keptShare) - 1;
  const largestKept = selectRank(squares.slice(), squares.length, rank);
  let redRed = 0;
  let blueBlue = 0;
  let redBlue = 0;
  let kept = 0;
  for (let i = 0; i < squares.length; i++) {
    if (squares[i]! > largestKept) continue;
    redRed += red[i]! * red[i]!;
    blueBlue += blue[i]! * blue[i]!;
    redBlue += red[i]! * blue[i]!;
    kept++;
  }
  const middle = (redRed + blueBlue) / 2 / kept;
  const determinant = (redRed * blueBlue - redBlue * redBlue) / kept ** 2;
  const half = Math.sqrt(Math.max(0, middle * middle - determinant));
  return { second: Math.sqrt(Math.max(0, middle - half)), first: Math.sqrt(middle + half), usedShare };
};
