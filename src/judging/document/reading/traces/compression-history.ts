import type { Box, Image } from "#machine/imaging/image";
import { block, makeBlockTransform } from "./block-transform.ts";

/**
 * Whether the portrait went through the same compressions as the card around it. Physical reason: a JPEG that
 * was opened, changed and saved again was rounded twice. The first rounding leaves gaps between the levels of
 * each frequency, which the second one keeps. A part that came from elsewhere has no such gaps (Lukáš and
 * Fridrich 2003; Lin et al. 2009). Every resize after the change removes them.
 */
export type CompressionHistory = { readonly portrait: HistoryMatch; readonly face: HistoryMatch };

export type HistoryMatch = {
  /** 1 where the gaps of the card are found as often as in the card, 0 where there are none. */
  readonly match: number;
  /** How much the levels of this part could tell, in nats; 0 where the card shows no earlier compression. */
  readonly information: number;
};

/** Frequencies 1 to 14 in zigzag order, and the highest level of each that is counted. */
const frequencies = 14;
const levelMax = 24;
/** Blocks of a part that are read at most: more do not change the counts' shape. */
const blocksMax = 6000;
/** Least levels of a frequency around the portrait, and in a part. */
const aroundMin = 200;
const insideMin = 8;
/** Coarsest step of an earlier compression that is looked for. */
const stepMax = 40;
/**
 * Least gain in nats for each level around the portrait: below it, the shape of the content looks like gaps.
 */
const gainMin = 0.02;

/**
 * Measures boxes at the resolution and origin of the file: its blocks begin at 0, 0. `steps`: of the file's
 * own luminance table, in zigzag order. The surroundings of the portrait count as neither card nor portrait.
 */
export const measureCompressionHistory = (
  image: Image,
  steps: readonly number[],
  { card, portrait, face }: { readonly card: Box; readonly portrait: Box; readonly face: Box },
): CompressionHistory => {
  const count = makeCountLevels(image, steps);
  const combs = findCombs(count(card, around(portrait)), steps);
  return { portrait: matchOf(count(portrait), combs), face: matchOf(count(face), combs) };
};

/** What is taken for neither portrait nor card, in shares of the portrait. */
const around = ({ x, y, width, height }: Box): Box => ({
  x: x - 0.2 * width,
  y: y - 0.25 * height,
  width: 1.4 * width,
  height: 1.5 * height,
});

/** How often each level occurs, by frequency: `counts[frequency][level]`; level 0 is not counted. */
type Counts = readonly Float64Array[];

const makeCountLevels = ({ width, height, data }: Image, steps: readonly number[]) => {
  const { pixels, coefficients, run } = makeBlockTransform();
  const fill = (left: number, top: number): void => {
    for (let y = 0, to = 0; y < block; y++) {
      for (let x = 0, at = ((top + y) * width + left) * 3; x < block; x++, at += 3) {
        pixels[to++] = 0.299 * data[at]! + 0.587 * data[at + 1]! + 0.114 * data[at + 2]!;
      }
    }
  };
  const addLevels = (counts: Counts): void => {
    for (let i = 1; i <= frequencies; i++) {
      const level = Math.abs(Math.round(coefficients[i]! / steps[i]!));
      if (level >= 1 && level <= levelMax) counts[i]![level]!++;
    }
  };
  return (area: Box, without?: Box): Counts => {
    const counts = Array.from({ length: frequencies + 1 }, () => new Float64Array(levelMax + 1));
    const left = block * Math.max(0, Math.ceil(area.x / block));
    const top = block * Math.max(0, Math.ceil(area.y / block));
    const right = Math.min(width, area.x + area.width) - block;
    const bottom = Math.min(height, area.y + area.height) - block;
    const blocks = Math.max(0, ((right - left) / block + 1) * ((bottom - top) / block + 1));
    const stride = block * Math.max(1, Math.ceil(Math.sqrt(blocks / blocksMax)));
    for (let y = top; y <= bottom; y += stride) {
      for (let x = left; x <= right; x += stride) {
        if (without !== undefined && touches(without, x, y)) continue;
        fill(x, y);
        run();
        addLevels(counts);
      }
    }
    return counts;
  };
};

const touches = ({ x, y, width, height }: Box, left: number, top: number): boolean =>
  left + block > x && top + block > y && left < x + width && top < y + height;

/** For each frequency the multiplicity of every level under an earlier step; absent where none is seen. */
type Combs = readonly (Float64Array | undefined)[];

const findCombs = (counts: Counts, steps: readonly number[]): Combs =>
  counts.map((levels, i) => (i === 0 ? undefined : findComb(levels, steps[i]!)));

const findComb = (levels: Float64Array, step: number): Float64Array | undefined => {
  const total = sumOf(levels);
  if (total < aroundMin) return undefined;
  const smooth = smoothed(levels);
  let best: Float64Array | undefined;
  let gain = gainMin * total;
  for (let earlier = 1; earlier <= stepMax; earlier++) {
    const comb = combOf(earlier, step);
    const own = expectation(levels, logsOf(comb, smooth));
    if (own > gain) [best, gain] = [comb, own];
  }
  return best;
};

/** Deviation of a coefficient by the rounding of pixels between the two compressions, in steps of 1. */
const roundingNoise = 0.45;
/** No level is impossible: content, and areas that were white or black, round otherwise. */
const combMin = 0.05;

/**
 * How often each level occurs, beside a file that was compressed once, when multiples of an earlier step are
 * rounded to multiples of this one.
 */
const combOf = (earlier: number, step: number): Float64Array => {
  const comb = new Float64Array(levelMax + 1);
  for (let value = earlier; value <= (levelMax + 2) * step; value += earlier) {
    const nearest = Math.round(value / step);
    for (let level = Math.max(1, nearest - 2); level <= Math.min(levelMax, nearest + 2); level++) {
      comb[level]! += below((level + 0.5) * step - value) - below((level - 0.5) * step - value);
    }
  }
  return comb.map((times) => Math.max(combMin, (times * earlier) / step));
};

/** The share of a normal deviate below a bound (logistic approximation). */
const below = (bound: number): number => 1 / (1 + Math.exp((-1.702 * bound) / roundingNoise));

const sumOf = (values: Float64Array): number => values.reduce((sum, value) => sum + value, 0);

/** Counts as a file without gaps would have them: a mean over neighbours, twice. */
const smoothed = (levels: Float64Array): Float64Array => meanBeside(meanBeside(levels));

const meanBeside = (levels: Float64Array): Float64Array =>
  levels.map((own, i) =>
    i === 0 ? 0 : ((i === 1 ? own : levels[i - 1]!) + 2 * own + (i === levelMax ? own : levels[i + 1]!)) / 4,
  );

/** Logs of the likelihood ratio of each level, gaps over none, for levels of this shape. */
const logsOf = (comb: Float64Array, smooth: Float64Array): Float64Array => {
  const scale = expectation(smooth, comb) / sumOf(smooth);
  return comb.map((times, i) => (i === 0 ? 0 : Math.log(times / scale)));
};

const expectation = (weights: Float64Array, values: Float64Array): number =>
  weights.reduce((sum, weight, i) => sum + weight * values[i]!, 0);

/**
 * Where the log ratios of a part lie between those of levels without gaps and of levels with the card's gaps.
 */
const matchOf = (counts: Counts, combs: Combs): HistoryMatch => {
  let found = 0;
  let information = 0;
  for (const [i, comb] of combs.entries()) {
    const levels = counts[i]!;
    const total = sumOf(levels);
    if (comb === undefined || total < insideMin) continue;
    const smooth = smoothed(levels).map((value, _, all) => (value * total) / sumOf(all));
    const logs = logsOf(comb, smooth);
    const without = expectation(smooth, logs);
    const scale = expectation(smooth, comb) / total;
    const gapped = smooth.map((value, level) => (value * comb[level]!) / scale);
    found += expectation(levels, logs) - without;
    information += expectation(gapped, logs) - without;
  }
  return { match: information === 0 ? 0 : found / information, information };
};
