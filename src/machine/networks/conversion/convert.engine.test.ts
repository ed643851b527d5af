import * as fc from "fast-check";
import { InferenceSession, Tensor } from "onnxruntime-node";
import { describe, expect, it } from "vitest";
import { seededRandom } from "#contract/statistics/random";
import { reference } from "#support/networks/conversion/reference";
import { convertGraph } from "./convert.ts";
import type { GraphNode } from "./tensorflow-graph.ts";
import type { Constant } from "./weights.ts";

/** Deterministic values in [-2, 2): the drawn seed makes the tensor. */
const random = (shape: readonly number[], seed: number): Constant => {
  const next = seededRandom(seed);
  const size = shape.reduce((product, dim) => product * dim, 1);
  return { shape, data: Float32Array.from({ length: size }, () => next() * 4 - 2) };
};

const scalar = (value: number): Constant => ({ shape: [], data: Float32Array.of(value) });

type Step = { readonly node: Omit<GraphNode, "name" | "inputs">; readonly constants?: readonly Constant[] };

/** A chain of operations: each takes the result of the previous one, and its constants. */
const chainOf = (inputShape: readonly number[], steps: readonly Step[]) => {
  const nodes: GraphNode[] = [{ name: "input", operator: "Placeholder", inputs: [], dims: inputShape }];
  const constants = new Map<string, Constant>();
  let last = "input";
  for (const [index, step] of steps.entries()) {
    const names = (step.constants ?? []).map((constant, i) => {
      const name = `constant-${index}-${i}`;
      nodes.push({ name, operator: "Const", inputs: [] });
      constants.set(name, constant);
      return name;
    });
    const name = index === steps.length - 1 ? "result" : `step-${index}`;
    nodes.push({ ...step.node, name, inputs: [last, ...names] });
    last = name;
  }
  return { name: "chain", nodes, constants, outputs: ["result"] };
};

const compute = async (graph: ReturnType<typeof chainOf>, input: Constant): Promise<Constant> => {
  const session = await InferenceSession.create(convertGraph(graph), { intraOpNumThreads: 1 });
  const outputs = await session.run({ input: new Tensor("float32", input.data, input.shape) });
  const result = outputs["result"];
  if (!(result?.data instanceof Float32Array)) throw new Error("no result");
  return { shape: result.dims, data: result.data };
};

const expectEqual = async (
  inputShape: readonly number[],
  steps: readonly Step[],
  seed: number,
): Promise<void> => {
  const input = random(inputShape, seed);
  const expected = steps.reduce<Constant>(
    (value, { node, constants = [] }) =>
      reference[node.operator]!({ ...node, name: "", inputs: [] }, [value, ...constants]),
    input,
  );
  const found = await compute(chainOf(inputShape, steps), input);
  expect(found.shape).toEqual(expected.shape);
  const scale = expected.data.reduce((most, value) => Math.max(most, Math.abs(value)), 1);
  const error = found.data.reduce((most, value, i) => Math.max(most, Math.abs(value - expected.data[i]!)), 0);
  expect(error / scale).toBeLessThan(2e-6);
};

const side = fc.integer({ min: 5, max: 9 });
const channels = fc.integer({ min: 1, max: 4 });
const stride = fc.constantFrom(1, 2, 3);
const kernel = fc.constantFrom(1, 2, 3, 5);
const padding = fc.constantFrom("SAME", "VALID");
const seed = fc.integer({ min: 1, max: 1_000_000 });
const runs = { numRuns: 25 };

describe("convertGraph", () => {
  it("convolves as TensorFlow does, for every stride, kernel and padding", async () => {
    const drawn = fc.record({ height: side, width: side, channels, stride, kernel, padding, seed });
    await fc.assert(
      fc.asyncProperty(drawn, async (p) => {
        const node = { operator: "_FusedConv2D", strides: [1, p.stride, p.stride, 1], padding: p.padding };
        const constants = [random([p.kernel, p.kernel, p.channels, 3], p.seed), random([3], p.seed)];
        const step = { node: { ...node, fused: ["BiasAdd"] }, constants };
        await expectEqual([1, p.height, p.width, p.channels], [step], p.seed);
      }),
      runs,
    );
  });

  it("convolves channel by channel as TensorFlow does", async () => {
    const drawn = fc.record({ height: side, width: side, channels, stride, kernel, padding, seed });
    await fc.assert(
      fc.asyncProperty(drawn, async (p) => {
        const strides = [1, p.stride, p.stride, 1];
        const node = { operator: "DepthwiseConv2dNative", strides, padding: p.padding };
        const step = { node, constants: [random([p.kernel, p.kernel, p.channels, 1], p.seed)] };
        await expectEqual([1, p.height, p.width, p.channels], [step], p.seed);
      }),
      runs,
    );
  });

  it.each(["MaxPool", "AvgPool"])("pools by %s as TensorFlow does", async (operator) => {
    const drawn = fc.record({ height: side, width: side, channels, stride, padding, seed });
    await fc.assert(
      fc.asyncProperty(drawn, async (p) => {
        const strides = [1, p.stride, p.stride, 1];
        const step = { node: { operator, strides, window: [1, 3, 3, 1], padding: p.padding } };
        await expectEqual([1, p.height, p.width, p.channels], [step], p.seed);
      }),
      runs,
    );
  });

  it("keeps channels separate through both layouts: convolution, padding of channels, slopes, reshape", async () => {
    const conv = { operator: "Conv2D", strides: [1, 1, 1, 1], padding: "SAME" };
    const steps: readonly Step[] = [
      { node: { operator: "Mul" }, constants: [random([3], 5)] },
      { node: conv, constants: [random([3, 3, 3, 4], 6)] },
      { node: { operator: "AddV2" }, constants: [random([4], 7)] },
      { node: { operator: "Prelu" }, constants: [random([1, 1, 4], 8)] },
      {
        node: { operator: "Pad" },
        constants: [{ shape: [4, 2], data: Float32Array.of(0, 0, 1, 0, 0, 2, 0, 3) }],
      },
      { node: { operator: "Reshape" }, constants: [{ shape: [2], data: Float32Array.of(2, 7 * 9 * 7) }] },
      { node: { operator: "Softmax" } },
    ];
    await expectEqual([2, 6, 7, 3], steps, 9);
  });

  it("writes the three operations of an expanded relu6 as one, with the same values", async () => {
    const steps: readonly Step[] = [
      { node: { operator: "Mul" }, constants: [scalar(9)] },
      { node: { operator: "Relu" } },
      { node: { operator: "Minimum" }, constants: [scalar(6)] },
      { node: { operator: "Maximum" }, constants: [scalar(0)] },
    ];
    await expectEqual([1, 4, 4, 2], steps, 3);
    const bytes = Buffer.from(convertGraph(chainOf([1, 4, 4, 2], steps)));
    expect(bytes.includes("Clip")).toBe(true);
    expect(bytes.includes("Relu")).toBe(false);
  });

  it("averages over pixels and multiplies matrices", async () => {
    const conv = { operator: "Conv2D", strides: [1, 2, 2, 1], padding: "SAME" };
    const axes = { shape: [2], data: Float32Array.of(1, 2) };
    const steps: readonly Step[] = [
      { node: conv, constants: [random([3, 3, 2, 5], 11)] },
      { node: { operator: "Mean" }, constants: [axes] },
      {
        node: { operator: "_FusedMatMul", fused: ["BiasAdd"] },
        constants: [random([5, 4], 12), random([4], 13)],
      },
      { node: { operator: "Sigmoid" } },
    ];
    await expectEqual([3, 7, 8, 2], steps, 10);
  });

  it("concatenates channels of convolutions", async () => {
    const nodes: readonly GraphNode[] = [
      { name: "input", operator: "Placeholder", inputs: [], dims: [1, 4, 4, 2] },
      ...["a", "b", "axis"].map((name) => ({ name, operator: "Const", inputs: [] })),
      ...["a", "b"].map((name) => ({ name: `conv-${name}`, operator: "Conv2D", inputs: ["input", name] })),
      { name: "result", operator: "ConcatV2", inputs: ["conv-a", "conv-b", "axis"] },
    ];
    const kernels = [random([1, 1, 2, 2], 1), random([1, 1, 2, 3], 2)] as const;
    const axis = { shape: [], data: Float32Array.of(3) };
    const constants = new Map([
      ["a", kernels[0]],
      ["b", kernels[1]],
      ["axis", axis],
    ]);
    const input = random([1, 4, 4, 2], 3);
    const found = await compute({ name: "join", nodes: [...nodes], constants, outputs: ["result"] }, input);
    const conv: GraphNode = { name: "", operator: "Conv2D", inputs: [] };
    const parts = kernels.map((weights) => reference["Conv2D"]!(conv, [input, weights]));
    const expected = reference["ConcatV2"]!(conv, [...parts, axis]);
    expect(found.shape).toEqual(expected.shape);
    expect(found.data.every((value, i) => Math.abs(value - expected.data[i]!) < 1e-5)).toBe(true);
  });

  it.each([
    ["an unknown operation", [{ node: { operator: "Erf" } }], /no operator Erf/],
    [
      "an unknown fused activation",
      [{ node: { operator: "Conv2D", fused: ["Elu"] }, constants: [random([1, 1, 1, 1], 1)] }],
      /no fused activation Elu/,
    ],
  ] as const)("refuses %s", (_what, steps, message) => {
    expect(() => convertGraph(chainOf([1, 2, 2, 1], steps))).toThrow(message);
  });
});
