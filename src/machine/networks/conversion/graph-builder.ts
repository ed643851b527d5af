import type { OnnxAttribute, OnnxNode, OnnxTensor } from "./onnx.ts";
import { channelsFirst, channelsLast, permute } from "./permute.ts";
import type { Constant } from "./weights.ts";

/**
 * Order of the axes of a computed value. TensorFlow computes N-H-W-C, ONNX convolves N-C-H-W. A value keeps
 * the order of its creation and is transposed only where an operation needs the other order. `plain`: not an
 * image.
 */
export type Layout = "channels-last" | "channels-first" | "plain";

export type Computed = { readonly kind: "computed"; readonly name: string; readonly layout: Layout };
export type Value = Computed | { readonly kind: "constant"; readonly constant: Constant };

export type GraphBuilder = {
  /** Adds an operation and returns the name of its result. */
  readonly emit: (
    operator: string,
    inputs: readonly string[],
    attributes?: Readonly<Record<string, OnnxAttribute>>,
  ) => string;
  readonly initializer: (constant: Constant) => string;
  readonly integers: (values: readonly number[]) => string;
  /** Name of the value with its axes in this order. */
  readonly inLayout: (value: Computed, layout: Layout) => string;
  /** Name of an operand that broadcasts against a value of this layout. */
  readonly operand: (value: Value, layout: Layout) => string;
  readonly nodes: () => readonly OnnxNode[];
  readonly initializers: () => readonly OnnxTensor[];
};

/** A constant whose axes broadcast against N-C-H-W as they did against N-H-W-C. */
const forChannelsFirst = (constant: Constant): Constant => {
  const { shape, data } = constant;
  if (data.length === 1) return { shape: [], data };
  if (shape.length === 1) return { shape: [data.length, 1, 1], data };
  const padded = [...Array.from({ length: 4 - shape.length }, () => 1), ...shape];
  return permute({ shape: padded, data }, channelsFirst);
};

export const makeGraphBuilder = (): GraphBuilder => {
  const nodes: OnnxNode[] = [];
  const initializers: OnnxTensor[] = [];
  const transposed = new Map<string, string>();
  const store = (dims: readonly number[], data: OnnxTensor["data"]): string => {
    const name = `constant_${initializers.length}`;
    initializers.push({ name, dims, data });
    return name;
  };
  const initializer = ({ shape, data }: Constant): string => store(shape, data);
  const emit: GraphBuilder["emit"] = (operator, inputs, attributes = {}) => {
    const output = `value_${nodes.length}`;
    nodes.push({ operator, inputs, output, attributes });
    return output;
  };
  const inLayout: GraphBuilder["inLayout"] = (value, layout) => {
    if (value.layout === layout || value.layout === "plain" || layout === "plain") return value.name;
    const known = transposed.get(value.name);
    if (known !== undefined) return known;
    const perm = layout === "channels-first" ? channelsFirst : channelsLast;
    const name = emit("Transpose", [value.name], { perm });
    transposed.set(value.name, name);
    return name;
  };
  return {
    emit,
    initializer,
    integers: (values) => store([values.length], BigInt64Array.from(values, BigInt)),
    inLayout,
    operand: (value, layout) => {
      if (value.kind === "computed") return inLayout(value, layout);
      return initializer(layout === "channels-first" ? forChannelsFirst(value.constant) : value.constant);
    },
    nodes: () => nodes,
    initializers: () => initializers,
  };
};
