import { seededRandom } from "#contract/statistics/random";

/** Smooth noise in [0, 1] over the plane with features of about one unit, the same for the same seed. */
export const makeSmoothNoise = (seed: number): ((x: number, y: number) => number) => {
  const random = seededRandom(seed);
  const lattice = Float32Array.from({ length: 4096 }, random);
  const at = (column: number, row: number): number => lattice[(column & 63) | ((row & 63) << 6)]!;
  return (x, y) => {
    const column = Math.floor(x);
    const row = Math.floor(y);
    const alongX = ease(x - column);
    const alongY = ease(y - row);
    const upper = at(column, row) + alongX * (at(column + 1, row) - at(column, row));
    const lower = at(column, row + 1) + alongX * (at(column + 1, row + 1) - at(column, row + 1));
    return upper + alongY * (lower - upper);
  };
};

const ease = (share: number): number => share * share * (3 - 2 * share);
