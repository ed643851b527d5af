import { upperMedian } from "#contract/statistics/quantile";
import { ramp } from "#contract/statistics/ramp";
import type { Imaging, OpenedImage } from "#machine/imaging/image";
import { levelsOf, reach } from "./block-levels.ts";
import type { Cue } from "./cue.ts";
import type { Compression } from "./measured-cues.ts";

/** Low frequencies with enough large values, and their place in zigzag order (ITU-T T.81, figure A.6). */
const frequencies = [
  { u: 1, v: 0, zigzag: 1 },
  { u: 0, v: 1, zigzag: 2 },
  { u: 1, v: 1, zigzag: 4 },
  { u: 2, v: 0, zigzag: 5 },
  { u: 0, v: 2, zigzag: 3 },
] as const;
const blocksMin = 600;

/**
 * Needs the image at the size and orientation of the file, and its luminance table in zigzag order. Undefined
 * for other files, small images, and tables that are coarse or very fine.
 */
export const measureCompression = (
  { toGrey }: Pick<Imaging, "toGrey">,
  image: OpenedImage,
): Compression | undefined => {
  const steps = image.file.jpegSteps;
  const blocks = Math.floor(image.width / 8) * Math.floor(image.height / 8);
  if (steps === undefined || image.scale !== 1 || blocks < blocksMin) return undefined;
  const wanted = frequencies
    .map(({ u, v, zigzag }) => ({ u, v, step: steps[zigzag] ?? 0 }))
    .filter(({ step }) => step >= 2);
  if (wanted.length < 2) return undefined;
  const histograms = levelsOf({ toGrey }, image, wanted);
  return { doubleQuantisation: upperMedian(histograms.map(regularity)) };
};

/**
 * After one rounding, the logarithm of the histogram falls in straight lines from its middle (Laplace
 * distribution). The difference of each bin from the mean of its two neighbours is searched for a period of
 * two to eight bins.
 */
const regularity = (histogram: Float64Array): number => {
  const size = histogram.length;
  const rest = new Float64Array(size);
  let used = 0;
  for (let i = 1; i < size - 1; i++) {
    const before = histogram[i - 1]!;
    const here = histogram[i]!;
    const after = histogram[i + 1]!;
    if (Math.abs(i - reach) <= 1 || before + here + after < countMin) continue;
    rest[i] = Math.log(here + 1) - (Math.log(before + 1) + Math.log(after + 1)) / 2;
    used++;
  }
  if (used < binsMin) return 0;
  let strongest = 0;
  for (let wave = Math.ceil(size / 8); wave <= size / 2; wave += 0.5) {
    let re = 0;
    let im = 0;
    for (let i = 0; i < size; i++) {
      if (rest[i] === 0) continue;
      const angle = (2 * Math.PI * wave * i) / size;
      re += rest[i]! * Math.cos(angle);
      im += rest[i]! * Math.sin(angle);
    }
    strongest = Math.max(strongest, Math.hypot(re, im) / used);
  }
  return strongest;
};

/** Fewer counts in three bins are noise, and fewer bins show no period. */
const countMin = 30;
const binsMin = 8;

export const compressedTwice: Cue = {
  name: "compressed-twice",
  strength: "digital",
  reason:
    "The file was compressed at least twice: it did not come straight from a camera. Messengers and image editors do that, and so do some honest applications.",
  weigh: ({ cues }) =>
    cues?.compression &&
    ramp(cues.compression.doubleQuantisation, [
      [0.35, 0],
      [0.7, 0.4],
    ]),
};
