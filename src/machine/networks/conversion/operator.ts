import type { Computed, GraphBuilder, Layout, Value } from "./graph-builder.ts";
import type { GraphNode } from "./tensorflow-graph.ts";
import type { Constant } from "./weights.ts";

/**
 * Rewrites one TensorFlow operation as ONNX operations. Throws Error for a form that no bundled network has.
 */
export type Operator = (builder: GraphBuilder, node: GraphNode, inputs: readonly Value[]) => Value;

export const computed = (name: string, layout: Layout): Computed => ({ kind: "computed", name, layout });

export const computedAt = (node: GraphNode, inputs: readonly Value[], index: number): Computed => {
  const value = inputs[index];
  if (value?.kind !== "computed") throw new Error(`${node.name}: input ${index} is not computed`);
  return value;
};

export const constantAt = (node: GraphNode, inputs: readonly Value[], index: number): Constant => {
  const value = inputs[index];
  if (value?.kind !== "constant") throw new Error(`${node.name}: input ${index} is not a constant`);
  return value.constant;
};

/** Appends the activation that TensorFlow fused into an operation (`fused_ops` after BiasAdd). */
export const activate = (
  builder: GraphBuilder,
  node: GraphNode,
  name: string,
  layout: Layout,
  slope: Value | undefined,
): string => {
  const activations = (node.fused ?? []).filter((fused) => fused !== "BiasAdd");
  return activations.reduce((input, activation) => {
    if (activation === "Relu") return builder.emit("Relu", [input]);
    if (activation === "Relu6") return clipAtSix(builder, input);
    if (activation === "Prelu" && slope !== undefined) {
      return builder.emit("PRelu", [input, builder.operand(slope, layout)]);
    }
    throw new Error(`${node.name}: no fused activation ${activation}`);
  }, name);
};

export const clipAtSix = (builder: GraphBuilder, input: string): string => {
  const scalar = (value: number): string => builder.initializer({ shape: [], data: Float32Array.of(value) });
  return builder.emit("Clip", [input, scalar(0), scalar(6)]);
};
