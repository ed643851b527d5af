import type { Plane } from "./blur.ts";

/** Pixels on either side of the middle of a patch, its side and its number of pixels. */
export const patchHalf = 9;
export const patchSide = 2 * patchHalf + 1;
export const patchSize = patchSide * patchSide;

/** The columns and rows of a plane under one patch, and how they are weighed. Beyond the border the last one is repeated. */
export type PatchGrid = {
  readonly columns: Int32Array;
  readonly rows: Int32Array;
  across: number;
  down: number;
};

export const makePatchGrid = (): PatchGrid => ({
  columns: new Int32Array(patchSide + 1),
  rows: new Int32Array(patchSide + 1),
  across: 0,
  down: 0,
});

/** Lays the grid about (x, y) on a plane of this size. */
export const layPatch = (grid: PatchGrid, { width, height }: Plane, x: number, y: number): void => {
  const [left, top] = [Math.floor(x), Math.floor(y)];
  grid.across = x - left;
  grid.down = y - top;
  for (let i = 0; i <= patchSide; i++) {
    grid.columns[i] = Math.min(width - 1, Math.max(0, left - patchHalf + i));
    grid.rows[i] = Math.min(height - 1, Math.max(0, top - patchHalf + i)) * width;
  }
};

/** Bilinear values under the grid. */
export const readPatch = ({ data }: Plane, grid: PatchGrid, to: Float32Array): void => {
  const { columns, rows, across, down } = grid;
  for (let j = 0, at = 0; j < patchSide; j++) {
    const [upper, lower] = [rows[j]!, rows[j + 1]!];
    let before = data[upper + columns[0]!]! * (1 - down) + data[lower + columns[0]!]! * down;
    for (let i = 1; i <= patchSide; i++) {
      const column = columns[i]!;
      const here = data[upper + column]! * (1 - down) + data[lower + column]! * down;
      to[at++] = before * (1 - across) + here * across;
      before = here;
    }
  }
};
