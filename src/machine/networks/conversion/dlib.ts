import { convertGraph } from "./convert.ts";
import type { GraphNode } from "./tensorflow-graph.ts";
import type { Constant } from "./weights.ts";

/** Side of the face chip, pixels. */
const chipSide = 150;
/**
 * Mean of the training images, R, G, B (dlib, input_rgb_image.h); the rest is scaled by 1 / 256 in dlib, 1 /
 * 255 in face-api.
 */
const means = [122.782, 117.001, 104.298] as const;

/** Builds the node list of a network that exists only as weights. Names are counted and carry no meaning. */
const makeNodes = (weights: ReadonlyMap<string, Constant>) => {
  const nodes: GraphNode[] = [];
  const constants = new Map<string, Constant>();
  const operation = (
    operator: string,
    inputs: readonly string[],
    attributes: Partial<GraphNode> = {},
  ): string => {
    const name = `node_${nodes.length}`;
    nodes.push({ name, operator, inputs, ...attributes });
    return name;
  };
  const constant = (shape: readonly number[], values: Float32Array | readonly number[]): string => {
    const name = operation("Const", []);
    constants.set(name, { shape, data: values instanceof Float32Array ? values : Float32Array.from(values) });
    return name;
  };
  const weight = (name: string): Constant => {
    const found = weights.get(name);
    if (found === undefined) throw new Error(`No weights for ${name}`);
    return found;
  };
  return { nodes, constants, operation, constant, weight };
};

type Nodes = ReturnType<typeof makeNodes>;

/** Feature map: name of its node, side in pixels, channels. */
type Map2d = { readonly name: string; readonly side: number; readonly channels: number };

/** Convolution with dlib's affine layer folded in: w' = w s, b' = b s + t for each output channel. */
const convolve = (
  { operation, constant, weight }: Nodes,
  input: string,
  layer: string,
  { stride, padding, rectifies }: { stride: number; padding: "SAME" | "VALID"; rectifies: boolean },
): string => {
  const filters = weight(`${layer}/conv/filters`);
  const biases = weight(`${layer}/conv/bias`).data;
  const scales = weight(`${layer}/scale/weights`).data;
  const shifts = weight(`${layer}/scale/biases`).data;
  const channels = scales.length;
  const kernel = new Float32Array(filters.data.length);
  for (let at = 0; at < kernel.length; at += channels) {
    for (let channel = 0; channel < channels; channel++) {
      kernel[at + channel] = filters.data[at + channel]! * scales[channel]!;
    }
  }
  const bias = biases.map((value, index) => value * scales[index]! + shifts[index]!);
  return operation("_FusedConv2D", [input, constant(filters.shape, kernel), constant([channels], bias)], {
    strides: [1, stride, stride, 1],
    padding,
    fused: ["BiasAdd", ...(rectifies ? ["Relu"] : [])],
  });
};

/** Two convolutions and a short cut (He et al., Deep Residual Learning, 2015, figure 2). */
const residual = (nodes: Nodes, input: Map2d, layer: string): Map2d => {
  const first = convolve(nodes, input.name, `${layer}/conv1`, {
    stride: 1,
    padding: "SAME",
    rectifies: true,
  });
  const second = convolve(nodes, first, `${layer}/conv2`, { stride: 1, padding: "SAME", rectifies: false });
  const sum = nodes.operation("AddV2", [second, input.name]);
  return { ...input, name: nodes.operation("Relu", [sum]) };
};

/**
 * As above at half the size: the short cut is an average pool, and the smaller tensor is padded with zeros.
 */
const residualDown = (nodes: Nodes, input: Map2d, layer: string, channels: number): Map2d => {
  const first = convolve(nodes, input.name, `${layer}/conv1`, {
    stride: 2,
    padding: "VALID",
    rectifies: true,
  });
  const second = convolve(nodes, first, `${layer}/conv2`, { stride: 1, padding: "SAME", rectifies: false });
  const half = [1, 2, 2, 1];
  const short = nodes.operation("AvgPool", [input.name], { window: half, strides: half, padding: "VALID" });
  const side = input.side >> 1;
  const missing = side - ((input.side - 3) >> 1) - 1;
  const long = padded(nodes, second, [0, 0, 0, missing, 0, missing, 0, 0]);
  const wide = padded(nodes, short, [0, 0, 0, 0, 0, 0, 0, channels - input.channels]);
  const sum = nodes.operation("AddV2", [wide, long]);
  return { name: nodes.operation("Relu", [sum]), side, channels };
};

const padded = ({ operation, constant }: Nodes, input: string, pads: readonly number[]): string =>
  pads.every((amount) => amount === 0) ? input : operation("Pad", [input, constant([4, 2], pads)]);

const repeated = (nodes: Nodes, input: Map2d, layer: string, times: number): Map2d =>
  Array.from({ length: times }, (_, i) => `${layer}_${i + 1}`).reduce(
    (map, name) => residual(nodes, map, name),
    input,
  );

/**
 * dlib's face recognition ResNet with 29 convolutions, from the weights of face-api. Input: RGB chip, 0…255,
 * N x 150 x 150 x 3. Output `descriptor`: N x 128, not normalised.
 */
export const convertDlib = (weights: ReadonlyMap<string, Constant>): Uint8Array => {
  const nodes = makeNodes(weights);
  const { operation, constant, weight } = nodes;
  const input = operation("Placeholder", [], { dims: [-1, chipSide, chipSide, 3] });
  const centred = operation("Sub", [input, constant([3], means)]);
  const scaled = operation("Mul", [centred, constant([], [1 / 255])]);
  const stem = convolve(nodes, scaled, "conv32_down", { stride: 2, padding: "VALID", rectifies: true });
  const pooled = operation("MaxPool", [stem], {
    window: [1, 3, 3, 1],
    strides: [1, 2, 2, 1],
    padding: "VALID",
  });
  let map: Map2d = { name: pooled, side: 35, channels: 32 };
  map = repeated(nodes, map, "conv32", 3);
  map = residualDown(nodes, map, "conv64_down", 64);
  map = repeated(nodes, map, "conv64", 3);
  map = residualDown(nodes, map, "conv128_down", 128);
  map = repeated(nodes, map, "conv128", 2);
  map = residualDown(nodes, map, "conv256_down", 256);
  map = repeated(nodes, map, "conv256", 2);
  map = residualDown(nodes, map, "conv256_down_out", 256);
  const mean = operation("Mean", [map.name, constant([2], [1, 2])]);
  const { shape, data } = weight("fc");
  const descriptor = { name: "descriptor", operator: "MatMul", inputs: [mean, constant(shape, data)] };
  return convertGraph({
    name: "dlib-resnet",
    nodes: [...nodes.nodes, descriptor],
    constants: nodes.constants,
    outputs: [descriptor.name],
  });
};
