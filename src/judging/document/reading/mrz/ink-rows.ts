import type { GreyImage } from "#machine/imaging/image";

/** Mean horizontal gradient of each row, smoothed over three rows. */
const inkProfile = ({ data, width, height }: GreyImage): Float32Array => {
  const raw = new Float32Array(height);
  for (let y = 0; y < height; y++) {
    let sum = 0;
    for (let i = y * width + 1; i < (y + 1) * width; i++) {
      sum += Math.abs(data[i]! - data[i - 1]!);
    }
    raw[y] = sum / width;
  }
  return raw.map((value, y) => ((raw[y - 1] ?? value) + 2 * value + (raw[y + 1] ?? value)) / 4);
};

/** Ink begins where the gradient rises above this share between a quiet row and the strongest row. */
const inkShare = 0.28;
const quietQuantile = 0.12;

/**
 * First and last row of the text in the middle of a strip; the neighbouring lines are cut off at the valleys.
 */
export const inkRows = (strip: GreyImage): readonly [first: number, last: number] => {
  const profile = inkProfile(strip);
  const height = strip.height;
  const quiet = profile.toSorted()[Math.trunc(height * quietQuantile)]!;
  let [middle, peak] = [height >> 1, 0];
  for (let y = Math.trunc(height * 0.3); y < height * 0.7; y++) {
    if (profile[y]! > peak) {
      [peak, middle] = [profile[y]!, y];
    }
  }
  const level = quiet + (peak - quiet) * inkShare;
  let [first, last] = [middle, middle];
  while (first > 0 && profile[first - 1]! > level) first--;
  while (last < height - 1 && profile[last + 1]! > level) last++;
  return [first, last];
};
