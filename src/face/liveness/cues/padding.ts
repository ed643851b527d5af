import type { GreyImage } from "#imaging/image";

/**
 * The padding that a program added around an image: areas of exactly one colour, which no sensor gives. Their straight
 * border is no evidence. 1 in the padding and some pixels into the image, where compression rings; undefined without padding.
 */
export const findPlainGround = (grey: GreyImage): Uint8Array | undefined => {
  const { width, height, data } = grey;
  const level = commonBorderLevel(grey);
  if (level === undefined) return undefined;
  const differs = new Uint8Array(data.length);
  let plain = 0;
  for (let i = 0; i < data.length; i++) {
    const isPlain = Math.abs(data[i]! - level) > 1 ? 0 : 1;
    differs[i] = 1 - isPlain;
    plain += isPlain;
  }
  if (plain < plainShareMin * data.length) return undefined;
  const isPlain = boxAny(differs, width, height, exactRadius);
  let count = 0;
  for (let i = 0; i < isPlain.length; i++) {
    isPlain[i] = 1 - isPlain[i]!;
    count += isPlain[i]!;
  }
  return count < plainShareMin * data.length
    ? undefined
    : boxAny(isPlain, width, height, exactRadius + ringingPx);
};

/** Five by five pixels without noise: no wall has that. */
const exactRadius = 2;
/** A block of eight pixels rings; small images are enlarged to this size. */
const ringingPx = 12;
const plainShareMin = 0.01;
/** Share of the outermost image pixels that must have one colour. */
const borderShareMin = 0.08;

const commonBorderLevel = ({ width, height, data }: GreyImage): number | undefined => {
  const counts = new Uint32Array(256);
  for (let x = 0; x < width; x++) {
    counts[data[x]!]!++;
    counts[data[(height - 1) * width + x]!]!++;
  }
  for (let y = 0; y < height; y++) {
    counts[data[y * width]!]!++;
    counts[data[y * width + width - 1]!]!++;
  }
  const most = Math.max(...counts);
  return most < borderShareMin * 2 * (width + height) ? undefined : counts.indexOf(most);
};

/** 1 where any flag within `radius` rows and columns is 1; outside the border all flags are 0. */
const boxAny = (flags: Uint8Array, width: number, height: number, radius: number): Uint8Array =>
  spreadDown(spreadAcross(flags, width, height, radius), width, height, radius);

/** Run by run: most flags have the same neighbours. */
const spreadAcross = (flags: Uint8Array, width: number, height: number, radius: number): Uint8Array => {
  const result = new Uint8Array(width * height);
  for (let start = 0; start < result.length; start += width) {
    const row = flags.subarray(start, start + width);
    for (let from = row.indexOf(1); from >= 0; ) {
      const next = row.indexOf(0, from);
      const to = next < 0 ? width : next;
      result.fill(1, start + Math.max(0, from - radius), start + Math.min(width, to + radius));
      from = row.indexOf(1, to);
    }
  }
  return result;
};

/** Row by row, with the nearest 1 of every column: this reads memory in order. */
const spreadDown = (flags: Uint8Array, width: number, height: number, radius: number): Uint8Array => {
  const result = new Uint8Array(width * height);
  const lasts = new Int32Array(width).fill(-radius - 1);
  // Reading is ahead of writing by the radius: the nearest 1 at or before y is near enough to both ends.
  for (let y = 0; y < height + radius; y++) {
    if (y < height) noteOnes(lasts, flags, y);
    if (y >= radius) writeRow(result, y - radius, lasts, y - 2 * radius);
  }
  return result;
};

const noteOnes = (lasts: Int32Array, flags: Uint8Array, y: number): void => {
  const start = y * lasts.length;
  for (let x = 0; x < lasts.length; x++) {
    if (flags[start + x] === 1) lasts[x] = y;
  }
};

/** 1 in every column whose last 1 is not above row `top`. */
const writeRow = (result: Uint8Array, y: number, lasts: Int32Array, top: number): void => {
  const start = y * lasts.length;
  for (let x = 0; x < lasts.length; x++) {
    if (lasts[x]! >= top) result[start + x] = 1;
  }
};
