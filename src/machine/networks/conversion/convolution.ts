import type { GraphBuilder } from "./graph-builder.ts";
import type { OnnxAttribute } from "./onnx.ts";
import { activate, computed, computedAt, constantAt, type Operator } from "./operator.ts";
import type { GraphNode } from "./tensorflow-graph.ts";
import type { Constant } from "./weights.ts";

/**
 * TensorFlow's SAME padding. With stride 1 it is symmetric, with an odd remainder at the end. With larger
 * strides it depends on the input's size; ONNX's SAME_UPPER is defined the same way.
 */
const paddingOf = (
  { padding = "VALID" }: GraphNode,
  kernel: readonly [number, number],
  strides: readonly [number, number],
  dilations: readonly [number, number],
): Readonly<Record<string, OnnxAttribute>> => {
  if (padding === "VALID") return {};
  if (padding !== "SAME") throw new Error(`No padding ${padding}`);
  if (strides[0] !== 1 || strides[1] !== 1) return { auto_pad: "SAME_UPPER" };
  const rows = (kernel[0] - 1) * dilations[0];
  const columns = (kernel[1] - 1) * dilations[1];
  return { pads: [rows >> 1, columns >> 1, rows - (rows >> 1), columns - (columns >> 1)] };
};

/** Rows and columns of a per-axis N-H-W-C attribute. */
const spatial = (values: readonly number[] | undefined): readonly [number, number] => [
  values?.[1] ?? 1,
  values?.[2] ?? 1,
];

/**
 * Kernel H-W-I-O to O-I-H-W; a depthwise one, H-W-C-1, to C-1-H-W. Left to the runtime, which folds it at
 * loading in a fifth of the time needed here.
 */
const kernelOf = (builder: GraphBuilder, kernel: Constant, isDepthwise: boolean): string => {
  if (isDepthwise && kernel.shape[3] !== 1) throw new Error("Only one filter a channel is converted");
  const perm = isDepthwise ? [2, 3, 0, 1] : [3, 2, 0, 1];
  return builder.emit("Transpose", [builder.initializer(kernel)], { perm });
};

const convolution =
  (isDepthwise: boolean): Operator =>
  (builder, node, inputs) => {
    const kernel = constantAt(node, inputs, 1);
    const [rows = 0, columns = 0, channels = 0] = kernel.shape;
    const strides = spatial(node.strides);
    const dilations = spatial(node.dilations);
    const operands = [
      builder.inLayout(computedAt(node, inputs, 0), "channels-first"),
      kernelOf(builder, kernel, isDepthwise),
    ];
    if (node.fused?.includes("BiasAdd")) operands.push(builder.initializer(constantAt(node, inputs, 2)));
    const name = builder.emit("Conv", operands, {
      kernel_shape: [rows, columns],
      strides,
      dilations,
      group: isDepthwise ? channels : 1,
      ...paddingOf(node, [rows, columns], strides, dilations),
    });
    return computed(activate(builder, node, name, "channels-first", inputs[3]), "channels-first");
  };

/** By default neither side counts the padding of an average. */
const pool =
  (operator: "MaxPool" | "AveragePool"): Operator =>
  (builder, node, inputs) => {
    const kernel = spatial(node.window);
    const strides = spatial(node.strides);
    const name = builder.emit(operator, [builder.inLayout(computedAt(node, inputs, 0), "channels-first")], {
      kernel_shape: kernel,
      strides,
      ...paddingOf(node, kernel, strides, [1, 1]),
    });
    return computed(name, "channels-first");
  };

export const convolutionOperators = {
  Conv2D: convolution(false),
  _FusedConv2D: convolution(false),
  DepthwiseConv2dNative: convolution(true),
  FusedDepthwiseConv2dNative: convolution(true),
  MaxPool: pool("MaxPool"),
  AvgPool: pool("AveragePool"),
} as const satisfies Record<string, Operator>;
