import type { Constant } from "./weights.ts";

/** Axes of an N-C-H-W tensor within an N-H-W-C one. */
export const channelsFirst: readonly number[] = [0, 3, 1, 2];
/** Axes of an N-H-W-C tensor within an N-C-H-W one. */
export const channelsLast: readonly number[] = [0, 2, 3, 1];

/** Transposes a tensor of rank four: axis i of the result is axis `order[i]` of the source. */
export const permute = ({ shape, data }: Constant, order: readonly number[]): Constant => {
  const strides = shape.map((_, axis) => shape.slice(axis + 1).reduce((product, dim) => product * dim, 1));
  const [a, b, c, d] = order.map((axis) => shape[axis]!);
  const [strideA, strideB, strideC, strideD] = order.map((axis) => strides[axis]!);
  if (a === undefined || b === undefined || c === undefined || d === undefined || shape.length !== 4) {
    throw new RangeError("Only tensors of rank four are transposed");
  }
  const target = new Float32Array(data.length);
  let at = 0;
  for (let i = 0; i < a; i++) {
    for (let j = 0; j < b; j++) {
      for (let k = 0; k < c; k++) {
        const from = i * strideA! + j * strideB! + k * strideC!;
        for (let l = 0; l < d; l++) target[at++] = data[from + l * strideD!]!;
      }
    }
  }
  return { shape: [a, b, c, d], data: target };
};
