import { seededRandom } from "#contract/statistics/random";

/** Draws of one case: the same for a seed and a number on every machine. */
export type Draw = {
  /** A whole number in [min, max]. */
  readonly int: (min: number, max: number) => number;
  /** A whole number in [min, max], evenly over orders of magnitude. */
  readonly size: (min: number, max: number) => number;
  readonly pick: <Item>(items: readonly Item[]) => Item;
  readonly chance: (share: number) => boolean;
  readonly bytes: (length: number) => Buffer;
};

export const makeDraw = (seed: number, number: number): Draw => {
  const random = seededRandom(Math.imul(seed, 0x9e3779b1) ^ Math.imul(number + 1, 0x85ebca6b));
  const int = (min: number, max: number): number => min + Math.floor(random() * (max - min + 1));
  return {
    int,
    size: (min, max) =>
      Math.min(max, Math.floor(Math.exp(Math.log(min) + random() * Math.log((max + 1) / min)))),
    pick: (items) => {
      const item = items[int(0, items.length - 1)];
      if (item === undefined) throw new Error("A draw from an empty list");
      return item;
    },
    chance: (share) => random() < share,
    bytes: (length) => Buffer.from(Uint8Array.from({ length }, () => int(0, 255))),
  };
};
