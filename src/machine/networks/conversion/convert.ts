import { convolutionOperators } from "./convolution.ts";
import { elementwiseOperators } from "./elementwise.ts";
import { type GraphBuilder, makeGraphBuilder, type Value } from "./graph-builder.ts";
import { encodeModel, type OnnxInput } from "./onnx.ts";
import { computed, type Operator } from "./operator.ts";
import { fuseRelu6 } from "./relu6.ts";
import { shapeOperators } from "./shape-operators.ts";
import type { GraphNode } from "./tensorflow-graph.ts";
import type { Constant } from "./weights.ts";

const operators: ReadonlyMap<string, Operator> = new Map(
  Object.entries({ ...convolutionOperators, ...elementwiseOperators, ...shapeOperators }),
);

export type SourceGraph = {
  readonly name: string;
  readonly nodes: readonly GraphNode[];
  readonly constants: ReadonlyMap<string, Constant>;
  /** Names of the nodes to compute; the ONNX outputs carry the same names. */
  readonly outputs: readonly string[];
};

/** The nodes that the outputs need, each after its inputs. Throws Error on a missing node or a cycle. */
const inOrder = (nodes: readonly GraphNode[], outputs: readonly string[]): readonly GraphNode[] => {
  const byName = new Map(nodes.map((node) => [node.name, node]));
  const order = new Set<GraphNode>();
  const open = new Set<string>();
  const attempt = (name: string): void => {
    const node = byName.get(name);
    if (node === undefined) throw new Error(`The graph has no node ${name}`);
    if (order.has(node)) return;
    if (open.has(name)) throw new Error(`The graph has a cycle at ${name}`);
    open.add(name);
    node.inputs.forEach(attempt);
    order.add(node);
  };
  outputs.forEach(attempt);
  return [...order];
};

const convertNode = (
  builder: GraphBuilder,
  node: GraphNode,
  constants: ReadonlyMap<string, Constant>,
  values: ReadonlyMap<string, Value>,
): Value => {
  if (node.operator === "Placeholder") {
    return computed(node.name, node.dims?.length === 4 ? "channels-last" : "plain");
  }
  if (node.operator === "Const") {
    const constant = constants.get(node.name);
    if (constant === undefined) throw new Error(`No weights for ${node.name}`);
    return { kind: "constant", constant };
  }
  const operator = operators.get(node.operator);
  if (operator === undefined) throw new Error(`${node.name}: no operator ${node.operator}`);
  const inputs = node.inputs.map((input) => {
    const value = values.get(input);
    if (value === undefined) throw new Error(`${node.name}: input ${input} is not there`);
    return value;
  });
  return operator(builder, node, inputs);
};

/** A batch of any size where the source leaves it open (-1), else a fixed one. */
const inputOf = ({ name, dims = [] }: GraphNode): OnnxInput => ({
  name,
  dims: dims.map((dim) => (dim < 0 ? "batch" : dim)),
});

/**
 * Converts a TensorFlow graph to an ONNX file, in memory. Input and outputs keep the source's axes (N-H-W-C)
 * and names; values equal the source's up to the rounding of 32-bit floats (measured: at most 2e-6 of the
 * largest value).
 */
export const convertGraph = ({ name, nodes, constants, outputs }: SourceGraph): Uint8Array => {
  const order = inOrder(fuseRelu6(nodes, constants), outputs);
  const builder = makeGraphBuilder();
  const values = new Map<string, Value>();
  for (const node of order) values.set(node.name, convertNode(builder, node, constants, values));
  const input = order.find(({ operator }) => operator === "Placeholder");
  if (input === undefined) throw new Error(`${name}: no input`);
  const results = outputs.map((output) => {
    const value = values.get(output);
    if (value?.kind !== "computed") throw new Error(`${name}: output ${output} is not computed`);
    return {
      operator: "Identity",
      inputs: [builder.inLayout(value, "channels-last")],
      output,
      attributes: {},
    };
  });
  return encodeModel({
    name,
    nodes: [...builder.nodes(), ...results],
    initializers: builder.initializers(),
    input: inputOf(input),
    outputs,
  });
};
