import { computed, computedAt, constantAt, type Operator } from "./operator.ts";
import { channelsFirst } from "./permute.ts";

/** The source has padding pairs per axis; ONNX expects all starts and then all ends. */
const pad: Operator = (builder, node, inputs) => {
  const { name, layout } = computedAt(node, inputs, 0);
  const pairs = constantAt(node, inputs, 1).data;
  const axes =
    layout === "channels-first" ? channelsFirst : Array.from({ length: pairs.length / 2 }, (_, i) => i);
  const pads = [...axes.map((axis) => pairs[2 * axis]!), ...axes.map((axis) => pairs[2 * axis + 1]!)];
  return computed(builder.emit("Pad", [name, builder.integers(pads)], { mode: "constant" }), layout);
};

/** A reshape depends on the memory order, so the value returns to channels last before it. */
const reshape: Operator = (builder, node, inputs) => {
  const shape = Array.from(constantAt(node, inputs, 1).data);
  const source = builder.inLayout(computedAt(node, inputs, 0), "channels-last");
  const name = builder.emit("Reshape", [source, builder.integers(shape)]);
  return computed(name, shape.length === 4 ? "channels-last" : "plain");
};

/** The mean over all pixels of an image, which drops both axes: the only form in use. */
const mean: Operator = (builder, node, inputs) => {
  const axes = Array.from(constantAt(node, inputs, 1).data).toSorted((a, b) => a - b);
  const value = computedAt(node, inputs, 0);
  if (node.keepsDims || axes.join() !== "1,2" || value.layout === "plain") {
    throw new Error(`${node.name}: not a mean over pixels`);
  }
  const source = builder.inLayout(value, "channels-first");
  return computed(builder.emit("ReduceMean", [source], { axes: [2, 3], keepdims: 0 }), "plain");
};

const concat: Operator = (builder, node, inputs) => {
  const axis = constantAt(node, inputs, inputs.length - 1).data[0]!;
  const parts = inputs.slice(0, -1).map((_, index) => computedAt(node, inputs, index));
  const isPlain = parts.every(({ layout }) => layout === "plain");
  const isFirst = !isPlain && parts.every(({ layout }) => layout === "channels-first");
  const layout = isPlain ? "plain" : isFirst ? "channels-first" : "channels-last";
  const named = parts.map((part) => builder.inLayout(part, layout));
  const position = isFirst ? channelsFirst.indexOf(axis < 0 ? axis + 4 : axis) : axis;
  return computed(builder.emit("Concat", named, { axis: position }), layout);
};

export const shapeOperators = {
  Pad: pad,
  Reshape: reshape,
  Mean: mean,
  ConcatV2: concat,
  Identity: (_builder, node, inputs) => computedAt(node, inputs, 0),
} as const satisfies Record<string, Operator>;
