import { seededRandom } from "#contract/statistics/random";
import type { Image } from "#machine/imaging/image";
import { makeSmoothNoise } from "../smooth-noise.ts";

/** How far a wave is displaced in each column: computed once for all rows. */
const wavesOf = (width: number, phase: number): Float64Array =>
  Float64Array.from({ length: width }, (_, x) => 20 * Math.sin(x * 0.01 + phase));

/** Steps of 255 between the patches of a pale card. */
const palePatches = 16;

/** Hues of pale cards: at the left edge and at the right. */
const paleHues = [
  [
    [240, 228, 226],
    [222, 236, 236],
  ],
  [
    [238, 234, 220],
    [226, 232, 240],
  ],
  [
    [226, 238, 226],
    [240, 228, 236],
  ],
] as const;

/**
 * A blank card with little colour: pale hues, fine waves and broad patches in two colours. The second axis of
 * its colour is 1.2 to 2.0 in an image, as on genuine documents of the palest types
 * (docs/measurements/attacks.md, Pale cards).
 */
export const drawBlankCard = (width: number, height: number, seed: number): Image => {
  const waves = wavesOf(width, seededRandom(seed)() * 7);
  const [warm, green] = [makeSmoothNoise(seed), makeSmoothNoise(seed + 1000)];
  const [from, to] = paleHues[seed % paleHues.length] ?? paleHues[0];
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const isWave = Math.sin((y + waves[x]!) * 0.25) > 0.86;
      const warmth = palePatches * (warm(x / 70, y / 70) - 0.5);
      const patches = [warmth, palePatches * 0.86 * (green(x / 70, y / 70) - 0.5), -warmth];
      for (let channel = 0; channel < 3; channel++) {
        const ground = from[channel]! + ((to[channel]! - from[channel]!) * x) / width;
        const wave = isWave ? -22 - 6 * (channel - 1) : 0;
        data[(y * width + x) * 3 + channel] = Math.min(255, ground + wave + patches[channel]!);
      }
    }
  }
  return { width, height, data };
};

/** Hues of coloured cards: at the left edge and at the right. */
const hues = [
  [
    [242, 190, 202],
    [160, 220, 236],
  ],
  [
    [244, 210, 156],
    [160, 224, 186],
  ],
  [
    [178, 198, 246],
    [244, 190, 216],
  ],
] as const;

/**
 * A blank card in colour: one hue turns into another, with waves in both. A card in grey counts as a copy.
 */
export const drawColouredCard = (width: number, height: number, seed: number): Image => {
  const waves = wavesOf(width, seededRandom(seed)() * 7);
  const [warm, green] = [makeSmoothNoise(seed), makeSmoothNoise(seed + 1000)];
  const [from, to] = hues[seed % hues.length] ?? hues[0];
  const data = new Uint8Array(width * height * 3);
  for (let y = 0; y < height; y++) {
    // Steps between waves differ, as guilloche's do: even ones look like a screen.
    const stretched = y + 14 * Math.sin(0.021 * y + seed);
    for (let x = 0; x < width; x++) {
      const bend = stretched + waves[x]!;
      const isWarm = Math.sin(bend * 0.25) > 0.86;
      const isCool = Math.sin(bend * 0.25 + 3.1) > 0.86;
      // Broad patches in two colours: fine waves alone vanish in a small image, and regular bands look like a
      // screen.
      const warmth = 56 * (warm(x / 70, y / 70) - 0.5);
      const patches = [warmth, 48 * (green(x / 70, y / 70) - 0.5), -warmth];
      for (let channel = 0; channel < 3; channel++) {
        const ground = from[channel]! + ((to[channel]! - from[channel]!) * x) / width;
        const wave = isWarm ? 16 * (channel - 2) : isCool ? -16 * channel : 0;
        data[(y * width + x) * 3 + channel] = Math.min(255, ground + wave + patches[channel]!);
      }
    }
  }
  return { width, height, data };
};

/** Copies an image onto the card with its top-left corner at (x, y); the part beyond the card is cut. */
export const stamp = (card: Image, image: Image, x: number, y: number): void => {
  const columns = Math.min(image.width, card.width - x);
  for (let row = 0; row < image.height && y + row < card.height; row++) {
    const from = row * image.width * 3;
    card.data.set(image.data.subarray(from, from + columns * 3), ((y + row) * card.width + x) * 3);
  }
};
