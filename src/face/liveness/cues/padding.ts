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
    if (Math.abs(data[i]! - level) > 1) differs[i] = 1;
    else plain++;
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
  spread(spread(flags, height, width, 1, width, radius), width, height, width, 1, radius);

/** Along each line: `step` from flag to flag, `stride` from line to line. */
const spread = (
  flags: Uint8Array,
  lines: number,
  length: number,
  step: number,
  stride: number,
  radius: number,
): Uint8Array => {
  const result = new Uint8Array(flags.length);
  for (let line = 0; line < lines; line++) {
    let last = Number.NEGATIVE_INFINITY;
    // Reading is ahead of writing by the radius: `last` is the nearest 1 at or before i, near enough to both ends.
    for (let i = 0; i < length + radius; i++) {
      if (i < length && flags[line * stride + i * step] === 1) last = i;
      const at = i - radius;
      if (at >= 0 && last >= at - radius) result[line * stride + at * step] = 1;
    }
  }
  return result;
};
