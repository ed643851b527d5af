import type { GraphNode } from "#machine/networks/conversion/tensorflow-graph";
import type { Constant } from "#machine/networks/conversion/weights";

/**
 * Plain-loop TensorFlow operations on N-H-W-C tensors: slow, short and written from TensorFlow's definitions.
 */
export type Reference = (node: GraphNode, inputs: readonly Constant[]) => Constant;

const tensor = (shape: readonly number[], at: (index: readonly number[]) => number): Constant => {
  const size = shape.reduce((product, dim) => product * dim, 1);
  const data = new Float32Array(size);
  for (let flat = 0; flat < size; flat++) {
    let rest = flat;
    const index = shape.toReversed().map((dim) => {
      const place = rest % dim;
      rest = Math.floor(rest / dim);
      return place;
    });
    data[flat] = at(index.toReversed());
  }
  return { shape, data };
};

const read = ({ shape, data }: Constant, index: readonly number[]): number => {
  if (index.some((place, axis) => place < 0 || place >= shape[axis]!)) return 0;
  return data[index.reduce((flat, place, axis) => flat * shape[axis]! + place, 0)]!;
};

/** Output size and padding before, by TensorFlow's rule for SAME and VALID. */
const extent = (size: number, kernel: number, stride: number, padding: string | undefined) => {
  const out = padding === "SAME" ? Math.ceil(size / stride) : Math.floor((size - kernel) / stride) + 1;
  const total = padding === "SAME" ? Math.max(0, (out - 1) * stride + kernel - size) : 0;
  return { out, before: Math.floor(total / 2) };
};

const windowed = (
  node: GraphNode,
  input: Constant,
  kernel: readonly [number, number],
  channels: number,
  value: (at: (row: number, column: number, channel: number) => readonly number[], channel: number) => number,
): Constant => {
  const [batch = 0, height = 0, width = 0] = input.shape;
  const rows = extent(height, kernel[0], node.strides?.[1] ?? 1, node.padding);
  const columns = extent(width, kernel[1], node.strides?.[2] ?? 1, node.padding);
  return tensor([batch, rows.out, columns.out, channels], ([n = 0, y = 0, x = 0, c = 0]) =>
    value(
      (row, column, channel) => [
        n,
        y * (node.strides?.[1] ?? 1) + row - rows.before,
        x * (node.strides?.[2] ?? 1) + column - columns.before,
        channel,
      ],
      c,
    ),
  );
};

const cells = (rows: number, columns: number): readonly (readonly [number, number])[] =>
  Array.from({ length: rows * columns }, (_, i) => [Math.floor(i / columns), i % columns]);

const sum = (values: readonly number[]): number => values.reduce((total, value) => total + value, 0);

const convolve: Reference = (node, [input, kernel, bias]) => {
  const [rows = 0, columns = 0, inner = 0, outer = 0] = kernel!.shape;
  return windowed(
    node,
    input!,
    [rows, columns],
    outer,
    (at, channel) =>
      sum(
        cells(rows, columns).flatMap(([row, column]) =>
          Array.from(
            { length: inner },
            (_, i) => read(input!, at(row, column, i)) * read(kernel!, [row, column, i, channel]),
          ),
        ),
      ) + (bias?.data[channel] ?? 0),
  );
};

const convolveDepthwise: Reference = (node, [input, kernel]) => {
  const [rows = 0, columns = 0, channels = 0] = kernel!.shape;
  return windowed(node, input!, [rows, columns], channels, (at, channel) =>
    sum(
      cells(rows, columns).map(
        ([row, column]) => read(input!, at(row, column, channel)) * read(kernel!, [row, column, channel, 0]),
      ),
    ),
  );
};

const poolOver =
  (join: (values: readonly number[]) => number): Reference =>
  (node, [input]) => {
    const [, rows = 1, columns = 1] = node.window ?? [];
    const inside = (index: readonly number[]): boolean =>
      index.every((place, axis) => place >= 0 && place < input!.shape[axis]!);
    return windowed(node, input!, [rows, columns], input!.shape[3]!, (at, channel) =>
      join(
        cells(rows, columns)
          .map(([row, column]) => at(row, column, channel))
          .filter(inside)
          .map((index) => read(input!, index)),
      ),
    );
  };

/** Broadcasts from the last axis, as TensorFlow and NumPy do. */
const broadcast =
  (join: (a: number, b: number) => number): Reference =>
  (_node, [a, b]) =>
    tensor(a!.shape, (index) => {
      const own = b!.shape.map((dim, axis) =>
        dim === 1 ? 0 : index[axis + a!.shape.length - b!.shape.length]!,
      );
      return join(read(a!, index), read(b!, own));
    });

const map =
  (change: (value: number) => number): Reference =>
  (_node, [input]) => ({ shape: input!.shape, data: input!.data.map(change) });

const pad: Reference = (_node, [input, pairs]) =>
  tensor(
    input!.shape.map((dim, axis) => dim + pairs!.data[2 * axis]! + pairs!.data[2 * axis + 1]!),
    (index) =>
      read(
        input!,
        index.map((place, axis) => place - pairs!.data[2 * axis]!),
      ),
  );

const mean: Reference = (_node, [input]) => {
  const [batch = 0, rows = 0, columns = 0, channels = 0] = input!.shape;
  return tensor(
    [batch, channels],
    ([n = 0, c = 0]) =>
      sum(cells(rows, columns).map(([y, x]) => read(input!, [n, y, x, c]))) / (rows * columns),
  );
};

const concat: Reference = (_node, parts) => {
  const [first, second] = parts;
  const split = first!.shape[3]!;
  return tensor([...first!.shape.slice(0, 3), split + second!.shape[3]!], (index) => {
    const channel = index[3]!;
    return channel < split ? read(first!, index) : read(second!, [...index.slice(0, 3), channel - split]);
  });
};

const matrixProduct: Reference = (_node, [a, b, bias]) =>
  tensor(
    [a!.shape[0]!, b!.shape[1]!],
    ([row = 0, column = 0]) =>
      sum(Array.from({ length: b!.shape[0]! }, (_, i) => read(a!, [row, i]) * read(b!, [i, column]))) +
      (bias?.data[column] ?? 0),
  );

const softmax: Reference = (_node, [input]) => {
  const width = input!.shape.at(-1)!;
  return {
    shape: input!.shape,
    data: input!.data.map((value, i) => {
      const start = i - (i % width);
      return Math.exp(value) / sum(Array.from(input!.data.subarray(start, start + width), Math.exp));
    }),
  };
};

export const reference: Readonly<Record<string, Reference>> = {
  Conv2D: convolve,
  _FusedConv2D: convolve,
  DepthwiseConv2dNative: convolveDepthwise,
  MaxPool: poolOver((values) => Math.max(...values)),
  AvgPool: poolOver((values) => sum(values) / values.length),
  Add: broadcast((a, b) => a + b),
  AddV2: broadcast((a, b) => a + b),
  Sub: broadcast((a, b) => a - b),
  Mul: broadcast((a, b) => a * b),
  Prelu: broadcast((value, slope) => (value >= 0 ? value : slope * value)),
  Minimum: broadcast(Math.min),
  Maximum: broadcast(Math.max),
  Relu: map((value) => Math.max(0, value)),
  Sigmoid: map((value) => 1 / (1 + Math.exp(-value))),
  Pad: pad,
  Mean: mean,
  ConcatV2: (node, inputs) => concat(node, inputs.slice(0, -1)),
  MatMul: matrixProduct,
  _FusedMatMul: matrixProduct,
  Softmax: softmax,
  Reshape: (_node, [input, shape]) => ({ shape: Array.from(shape!.data), data: input!.data }),
};
