import type { Image } from "#imaging/image";

/**
 * Spread of the card colour along a second axis, in hundredths of the natural log of a channel ratio. Physical reason: under
 * one lamp, grey ink varies along one colour axis alone, and the second axis stays at the noise floor. Coloured security
 * print fills both axes (docs/measurements/attacks.md, Attacks on documents).
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
  const used = blocks.used.reduce((sum, one) => sum + one, 0);
  if (used < blocksMin) return undefined;
  const residuals = residualsOf(blocks);
  return axesOf(residuals, smallestOf(residuals), used / blocks.used.length);
};

type Blocks = {
  readonly across: number;
  readonly down: number;
  readonly red: Float64Array;
  readonly blue: Float64Array;
  /** 1 where the block counts. */
  readonly used: Uint8Array;
};

/** Log ratios of red and blue to green over blocks; an offset of 8 keeps the noise of dark blocks bounded. */
const blocksOf = (card: Image): Blocks => {
  const across = Math.floor(card.width / blockSide);
  const down = Math.floor(card.height / blockSide);
  const count = across * down;
  const [red, blue, light] = [new Float64Array(count), new Float64Array(count), new Float64Array(count)];
  const used = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const mean = meanOf(card, (i % across) * blockSide, Math.floor(i / across) * blockSide);
    red[i] = 100 * Math.log((mean.red + 8) / (mean.green + 8));
    blue[i] = 100 * Math.log((mean.blue + 8) / (mean.green + 8));
    light[i] = (mean.red + mean.green + mean.blue) / 3;
    used[i] = mean.blown <= (blockSide * blockSide) / 2 ? 1 : 0;
  }
  const lit = light.filter((_, i) => used[i] === 1).sort();
  const dark = darkShare * (lit[Math.floor(lit.length * 0.9)] ?? 0);
  for (let i = 0; i < count; i++) if (light[i]! <= dark) used[i] = 0;
  return { across, down, red, blue, used };
};

const meanOf = ({ data, width }: Image, left: number, top: number) => {
  let [red, green, blue, blown] = [0, 0, 0, 0];
  for (let y = top; y < top + blockSide; y++) {
    for (let at = (y * width + left) * 3, end = at + blockSide * 3; at < end; at += 3) {
      const [r, g, b] = [data[at]!, data[at + 1]!, data[at + 2]!];
      red += r;
      green += g;
      blue += b;
      if (r > blownOut || g > blownOut || b > blownOut) blown++;
    }
  }
  const count = blockSide * blockSide;
  return { red: red / count, green: green / count, blue: blue / count, blown };
};

type Residuals = { readonly red: Float64Array; readonly blue: Float64Array };

/** Difference of each block from the mean of its surroundings, by summed-area tables. */
const residualsOf = (blocks: Blocks): Residuals => {
  const { across, down, used } = blocks;
  const sums = [blocks.red, blocks.blue].map((values) =>
    summed(blocks, (i) => (used[i] === 1 ? values[i]! : 0)),
  );
  const counts = summed(blocks, (i) => used[i]!);
  const red: number[] = [];
  const blue: number[] = [];
  for (let i = 0; i < used.length; i++) {
    if (used[i] === 0) continue;
    const [x, y] = [i % across, Math.floor(i / across)];
    const [left, top] = [Math.max(0, x - lightRadius), Math.max(0, y - lightRadius)];
    const right = Math.min(across, x + lightRadius + 1);
    const bottom = Math.min(down, y + lightRadius + 1);
    const within = (sum: Float64Array): number =>
      sum[bottom * (across + 1) + right]! -
      sum[top * (across + 1) + right]! -
      sum[bottom * (across + 1) + left]! +
      sum[top * (across + 1) + left]!;
    const count = within(counts);
    red.push(blocks.red[i]! - within(sums[0]!) / count);
    blue.push(blocks.blue[i]! - within(sums[1]!) / count);
  }
  return { red: Float64Array.from(red), blue: Float64Array.from(blue) };
};

/** Indices of the residuals to keep. */
const smallestOf = ({ red, blue }: Residuals): Uint32Array => {
  const squares = red.map((value, i) => value * value + blue[i]! * blue[i]!);
  const largestKept = squares.toSorted()[Math.ceil(squares.length * keptShare) - 1]!;
  return Uint32Array.from(squares.keys()).filter((i) => squares[i]! <= largestKept);
};

const summed = ({ across, down }: Blocks, value: (i: number) => number): Float64Array => {
  const sums = new Float64Array((across + 1) * (down + 1));
  for (let y = 0; y < down; y++) {
    let row = 0;
    for (let x = 0; x < across; x++) {
      row += value(y * across + x);
      sums[(y + 1) * (across + 1) + x + 1] = sums[y * (across + 1) + x + 1]! + row;
    }
  }
  return sums;
};

/** Roots of the eigenvalues of the residual covariance, over the kept blocks. */
const axesOf = ({ red, blue }: Residuals, kept: Uint32Array, usedShare: number): ColourSpread => {
  let [redRed, blueBlue, redBlue] = [0, 0, 0];
  for (const i of kept) {
    redRed += red[i]! * red[i]!;
    blueBlue += blue[i]! * blue[i]!;
    redBlue += red[i]! * blue[i]!;
  }
  const middle = (redRed + blueBlue) / 2 / kept.length;
  const determinant = (redRed * blueBlue - redBlue * redBlue) / kept.length ** 2;
  const half = Math.sqrt(Math.max(0, middle * middle - determinant));
  return { second: Math.sqrt(Math.max(0, middle - half)), first: Math.sqrt(middle + half), usedShare };
};
