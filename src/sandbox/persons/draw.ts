import { seededRandom } from "#contract/statistics/random";

/** Draws of one person: the same for the same seed. */
export type Draw = {
  /** A whole number, `from` to `to`, both included. */
  readonly number: (from: number, to: number) => number;
  readonly one: <const Value>(values: readonly [Value, ...Value[]]) => Value;
  /** Two values that differ; the list holds at least two. */
  readonly pair: <const Value>(values: readonly [Value, Value, ...Value[]]) => readonly [Value, Value];
};

export const makeDraw = (seed: number): Draw => {
  const random = seededRandom(seed);
  const number = (from: number, to: number): number => from + Math.floor(random() * (to - from + 1));
  return {
    number,
    one: (values) => values[number(0, values.length - 1)] ?? values[0],
    pair: (values) => {
      const first = number(0, values.length - 1);
      const second = (first + number(1, values.length - 1)) % values.length;
      return [values[first] ?? values[0], values[second] ?? values[1]];
    },
  };
};

/** A prime: it shares no factor with the sizes below, so no two indices meet. */
const step = 7919;

/**
 * Spreads indices over 0 … size - 1 without a repetition; `size` is no multiple of 7919 and above the number
 * of indices.
 */
export const spread = (index: number, size: number): number => (index * step + 104_729) % size;
