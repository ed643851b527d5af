import type { Layout, Value } from "./graph-builder.ts";
import { activate, clipAtSix, computed, computedAt, type Operator } from "./operator.ts";

const unary =
  (operator: string): Operator =>
  (builder, node, inputs) => {
    const { name, layout } = computedAt(node, inputs, 0);
    return computed(builder.emit(operator, [name]), layout);
  };

/** The common layout of two operands: channels first as soon as one of them is. */
const meeting = (values: readonly Value[]): Layout => {
  const layouts = values.flatMap((value) => (value.kind === "computed" ? [value.layout] : []));
  return layouts.includes("channels-first") ? "channels-first" : (layouts[0] ?? "plain");
};

const binary =
  (operator: string): Operator =>
  (builder, node, inputs) => {
    const layout = meeting(inputs);
    if (!inputs.some(({ kind }) => kind === "computed")) throw new Error(`${node.name}: two constants`);
    return computed(
      builder.emit(
        operator,
        inputs.map((value) => builder.operand(value, layout)),
      ),
      layout,
    );
  };

const prelu: Operator = (builder, node, inputs) => {
  const { name, layout } = computedAt(node, inputs, 0);
  const slope = inputs[1];
  if (slope === undefined) throw new Error(`${node.name}: no slope`);
  return computed(builder.emit("PRelu", [name, builder.operand(slope, layout)]), layout);
};

const relu6: Operator = (builder, node, inputs) => {
  const { name, layout } = computedAt(node, inputs, 0);
  return computed(clipAtSix(builder, name), layout);
};

const softmax: Operator = (builder, node, inputs) => {
  const value = computedAt(node, inputs, 0);
  const layout = value.layout === "channels-first" ? "channels-last" : value.layout;
  return computed(builder.emit("Softmax", [builder.inLayout(value, layout)], { axis: -1 }), layout);
};

const matrixProduct: Operator = (builder, node, inputs) => {
  if (node.transposes) throw new Error(`${node.name}: transposed operands`);
  const [, factor, bias] = inputs;
  if (factor === undefined) throw new Error(`${node.name}: no second factor`);
  const operands = [computedAt(node, inputs, 0).name, builder.operand(factor, "plain")];
  if (node.fused?.includes("BiasAdd") && bias !== undefined) operands.push(builder.operand(bias, "plain"));
  const name = builder.emit("Gemm", operands);
  return computed(activate(builder, node, name, "plain", inputs[3]), "plain");
};

export const elementwiseOperators = {
  Relu: unary("Relu"),
  Sigmoid: unary("Sigmoid"),
  Relu6: relu6,
  Prelu: prelu,
  Add: binary("Add"),
  AddV2: binary("Add"),
  Sub: binary("Sub"),
  Mul: binary("Mul"),
  Softmax: softmax,
  MatMul: matrixProduct,
  _FusedMatMul: matrixProduct,
} as const satisfies Record<string, Operator>;
