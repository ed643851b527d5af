/**
 * The layers of the bundled face detector (BlazeFace, back camera) in the order of their weights in the file.
 * The service writes the file in this order (src/machine/networks/conversion/page-detector.ts), and the
 * runner reads it so.
 */
export type Layer =
  /** Convolution over space and channels, 5 x 5, stride 2, with bias and ReLU. */
  | { readonly kind: "stem"; readonly to: number }
  /** Depthwise 3 x 3, then pointwise with bias, the input added, ReLU. */
  | { readonly kind: "block"; readonly from: number; readonly to: number; readonly stride: 1 | 2 }
  /** Pointwise with bias: the answer of one grid. */
  | { readonly kind: "head"; readonly name: HeadName; readonly from: number; readonly to: number }
  /** Depthwise 3 x 3 of stride 2, then pointwise with bias and ReLU; nothing is added. */
  | { readonly kind: "shrink"; readonly from: number; readonly to: number };

/** Scores and boxes of the cells of 16 and of 32 pixels. */
export type HeadName = "scores16" | "boxes16" | "scores32" | "boxes32";

const blocks = (count: number, channels: number): readonly Layer[] =>
  Array.from({ length: count }, () => ({ kind: "block", from: channels, to: channels, stride: 1 }) as const);

export const plan: readonly Layer[] = [
  { kind: "stem", to: 24 },
  ...blocks(7, 24),
  { kind: "block", from: 24, to: 24, stride: 2 },
  ...blocks(7, 24),
  { kind: "block", from: 24, to: 48, stride: 2 },
  ...blocks(7, 48),
  { kind: "block", from: 48, to: 96, stride: 2 },
  ...blocks(7, 96),
  { kind: "head", name: "scores16", from: 96, to: 2 },
  { kind: "head", name: "boxes16", from: 96, to: 32 },
  { kind: "shrink", from: 96, to: 96 },
  { kind: "head", name: "boxes32", from: 96, to: 96 },
  { kind: "head", name: "scores32", from: 96, to: 6 },
];

const stemSide = 5;

/** Weights of a layer, biases included. */
export const floatsOf = (layer: Layer): number => {
  if (layer.kind === "stem") return stemSide * stemSide * 3 * layer.to + layer.to;
  const pointwise = layer.from * layer.to + layer.to;
  return layer.kind === "head" ? pointwise : 9 * layer.from + pointwise;
};

/** All weights of the file. */
export const planFloats = plan.reduce((sum, layer) => sum + floatsOf(layer), 0);
