import type { GreyImage } from "#machine/imaging/image";
import { inverse, pixelsAwayFrom, pixelsIn, spread, toBytes } from "./bit-area.ts";

/**
 * The padding that a program added around an image: areas of exactly one colour, which no sensor gives. Their
 * straight border is no evidence. 1 in the padding and some pixels into the image, where compression rings;
 * undefined without padding.
 */
export const findPlainGround = (grey: GreyImage): Uint8Array | undefined => {
  const level = commonBorderLevel(grey);
  if (level === undefined) return undefined;
  const plainMin = plainShareMin * grey.data.length;
  const differs = pixelsAwayFrom(grey, level, 1);
  if (grey.data.length - pixelsIn(differs) < plainMin) return undefined;
  const plain = inverse(spread(differs, exactRadius));
  return pixelsIn(plain) < plainMin ? undefined : toBytes(spread(plain, exactRadius + ringingPx));
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
