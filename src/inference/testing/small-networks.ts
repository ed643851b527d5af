import { encodeModel, type OnnxNode } from "../conversion/onnx.ts";

type LivenessShape = {
  readonly side: number;
  /** The class whose logit grows with `channel`; the others stay 0. */
  readonly index: number;
  /** The plane of the input that is looked at: 0 is blue where the network takes BGR. */
  readonly channel: number;
  readonly classes?: number;
  /** Makes two files with the same work differ in their bytes. */
  readonly name?: string;
  readonly operator?: string;
  /** What is added to the logit; -4 by default. */
  readonly bias?: number;
};

/**
 * A small network with the shape of a liveness one: 1 x 3 x side x side, the mean of one plane over 32 less 4 as the logit
 * of one class. So its answer for a picture of one colour is known: 0 at 128, +4 at 256, -4 at 0.
 */
export const livenessNetwork = ({
  side,
  index,
  channel,
  classes = 3,
  name = "small",
  operator = "GlobalAveragePool",
  bias: added = -4,
}: LivenessShape): Uint8Array => {
  const weights = new Float32Array(3 * classes);
  weights[channel * classes + index] = 1 / 32;
  const bias = new Float32Array(classes);
  bias[index] = added;
  const nodes: readonly OnnxNode[] = [
    { operator, inputs: ["input"], output: "mean", attributes: {} },
    { operator: "Flatten", inputs: ["mean"], output: "flat", attributes: { axis: 1 } },
    { operator: "MatMul", inputs: ["flat", "weights"], output: "product", attributes: {} },
    { operator: "Add", inputs: ["product", "bias"], output: "logits", attributes: {} },
  ];
  return encodeModel({
    name,
    nodes,
    initializers: [
      { name: "weights", dims: [3, classes], data: weights },
      { name: "bias", dims: [classes], data: bias },
    ],
    input: { name: "input", dims: [1, 3, side, side] },
    outputs: ["logits"],
  });
};
