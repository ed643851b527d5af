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
  /** Whether no column and no row is repeated: then each row is read as it lies. */
  isWithin: boolean;
};

export const makePatchGrid = (): PatchGrid => ({
  columns: new Int32Array(patchSide + 1),
  rows: new Int32Array(patchSide + 1),
  across: 0,
  down: 0,
  isWithin: false,
});

/** Lays the grid about (x, y) on a plane of this size. */
export const layPatch = (grid: PatchGrid, { width, height }: Plane, x: number, y: number): void => {
  const { columns, rows } = grid;
  const [left, top] = [Math.floor(x) - patchHalf, Math.floor(y) - patchHalf];
  grid.across = x - left - patchHalf;
  grid.down = y - top - patchHalf;
  grid.isWithin = left >= 0 && top >= 0 && left + patchSide < width && top + patchSide < height;
  for (let i = 0; i <= patchSide; i++) {
    columns[i] = Math.min(width - 1, Math.max(0, left + i));
    rows[i] = Math.min(height - 1, Math.max(0, top + i)) * width;
  }
};

/** Bilinear values under the grid. */
export const readPatch = (plane: Plane, grid: PatchGrid, to: Float32Array): void => {
  if (grid.isWithin) readWithin(plane, grid, to);
  else readRepeated(plane, grid, to);
};

const readWithin = ({ data, width }: Plane, grid: PatchGrid, to: Float32Array): void => {
  const { across, down } = grid;
  const up = 1 - down;
  let from = grid.rows[0]! + grid.columns[0]!;
  for (let j = 0, at = 0; j < patchSide; j++, from += width) {
    let before = data[from]! * up + data[from + width]! * down;
    for (let i = 1; i <= patchSide; i++) {
      const here = data[from + i]! * up + data[from + width + i]! * down;
      to[at++] = before + (here - before) * across;
      before = here;
    }
  }
};

const readRepeated = ({ data }: Plane, grid: PatchGrid, to: Float32Array): void => {
  const { columns, rows, across, down } = grid;
  const up = 1 - down;
  for (let j = 0, at = 0; j < patchSide; j++) {
    const [upper, lower] = [rows[j]!, rows[j + 1]!];
    let before = data[upper + columns[0]!]! * up + data[lower + columns[0]!]! * down;
    for (let i = 1; i <= patchSide; i++) {
      const column = columns[i]!;
      const here = data[upper + column]! * up + data[lower + column]! * down;
      to[at++] = before + (here - before) * across;
      before = here;
    }
  }
};
