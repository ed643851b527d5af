import { expect, it } from "vitest";
import { seededRandom } from "#contract/statistics/random";
import type { GreyImage } from "#machine/imaging/image";
import { toGrey } from "#machine/imaging/pixels";
import { levelsOf, reach } from "./block-levels.ts";

const frequencies = [
  { u: 1, v: 0, step: 3 },
  { u: 0, v: 1, step: 2 },
  { u: 1, v: 1, step: 5 },
  { u: 2, v: 0, step: 4 },
  { u: 0, v: 2, step: 7 },
];

/** Every block has noise of its own strength; no block is like another. */
const noisyImage = (width: number, height: number) => {
  const random = seededRandom(width * height);
  const data = Uint8Array.from({ length: width * height * 3 }, () => 256 * random() ** 2);
  return { width, height, data };
};

/** Weights of the 64 pixels of a block in a coefficient, by the definition: ITU-T T.81, A.3.3. */
const weightsOf = (u: number, v: number) =>
  Float64Array.from({ length: 64 }, (_, i) => {
    const [x, y] = [i % 8, Math.floor(i / 8)];
    const scale = (u === 0 ? Math.SQRT1_2 : 1) * (v === 0 ? Math.SQRT1_2 : 1);
    return (
      (scale / 4) * Math.cos(((2 * x + 1) * u * Math.PI) / 16) * Math.cos(((2 * y + 1) * v * Math.PI) / 16)
    );
  });

/** The coefficient of the block whose first pixel is (left, top). */
const coefficientOf = ({ width, data }: GreyImage, left: number, top: number, weights: Float64Array) => {
  let sum = 0;
  for (let i = 0; i < 64; i++) sum += weights[i]! * data[(top + (i >> 3)) * width + left + (i & 7)]!;
  return sum;
};

/** Every `stride`-th whole block, from left to right and from top to bottom. */
const countOneByOne = (grey: GreyImage, stride: number) => {
  const counts = frequencies.map(({ u, v, step }) => ({
    weights: weightsOf(u, v),
    step,
    histogram: new Float64Array(2 * reach + 1),
  }));
  let place = 0;
  for (let top = 0; top + 8 <= grey.height; top += 8)
    for (let left = 0; left + 8 <= grey.width; left += 8) {
      if (place++ % stride !== 0) continue;
      for (const { weights, step, histogram } of counts) {
        const level = Math.round(coefficientOf(grey, left, top, weights) / step);
        if (level >= -reach && level <= reach) histogram[level + reach]!++;
      }
    }
  return counts.map(({ histogram }) => histogram);
};

it.each([
  ["one block, the only part", 15, 9, 1],
  ["64 blocks, one whole part", 71, 67, 1],
  ["65 blocks, a second part of one", 13 * 8 + 5, 5 * 8 + 3, 1],
  ["5,994 blocks, more than one sample", 27 * 8 + 7, 222 * 8 + 1, 1],
  ["6,083 blocks, every second", 77 * 8 + 1, 79 * 8 + 7, 2],
  ["9,100 blocks, every third", 91 * 8 + 3, 100 * 8, 3],
] as const)("the levels of %s are those of the plain transform", (_name, width, height, stride) => {
  const image = noisyImage(width, height);
  expect(levelsOf({ toGrey }, image, frequencies)).toEqual(countOneByOne(toGrey(image), stride));
});
