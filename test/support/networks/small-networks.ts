import { encodeModel, type OnnxNode } from "#machine/networks/conversion/onnx";

type LivenessShape = {
  readonly side: number;
  /** The class whose logit grows with `channel`; the others stay 0. */
  readonly index: number;
  /** The plane of the input that is evaluated: 0 is blue where the network takes BGR. */
  readonly channel: number;
  readonly classes?: number;
  /** Gives two equivalent files different bytes. */
  readonly name?: string;
  readonly operator?: string;
  /** Added to the logit; -4 by default. */
  readonly bias?: number;
};

/**
 * A small network in the form of a liveness network: the mean of one plane of 1 x 3 x side x side over 32,
 * less 4, as the logit of one class. So its score for an image of one colour is known: 0 at 128, +4 at 256,
 * -4 at 0.
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

/** The position of a face, in pixels of the input, and its five points. */
export type StatedFace = {
  readonly score: number;
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
  readonly points: readonly (readonly [number, number])[];
};

/**
 * A network with the outputs of a YuNet for inputs of 1 x 3 x side x side that finds these faces in every
 * image, all in its finest grid (8 px).
 */
export const yunetNetwork = (side: number, faces: readonly StatedFace[]): Uint8Array => {
  const sizes = { cls: 1, obj: 1, bbox: 4, kps: 10 } as const;
  const grids = [8, 16, 32].flatMap((stride) =>
    Object.entries(sizes).map(([kind, size]) => {
      const cells = (side / stride) ** 2;
      return { name: `${kind}_${stride}`, kind, stride, size, cells, data: new Float32Array(cells * size) };
    }),
  );
  for (const { score, x, y, width, height, points } of faces) {
    const [column, row] = [Math.floor((x + width / 2) / 8), Math.floor((y + height / 2) / 8)];
    const off = ([u, v]: readonly [number, number]) => [u / 8 - column, v / 8 - row];
    const values: Readonly<Record<string, readonly number[]>> = {
      cls: [score],
      obj: [score],
      bbox: [...off([x + width / 2, y + height / 2]), Math.log(width / 8), Math.log(height / 8)],
      kps: points.flatMap(off),
    };
    for (const { kind, stride, size, data } of grids) {
      if (stride === 8) data.set(values[kind] ?? [], (row * (side / 8) + column) * size);
    }
  }
  return encodeModel({
    name: "stated",
    nodes: grids.map(({ name }) => ({
      operator: "Identity",
      inputs: [`${name}_said`],
      output: name,
      attributes: {},
    })),
    initializers: grids.map(({ name, cells, size, data }) => ({
      name: `${name}_said`,
      dims: [1, cells, size],
      data,
    })),
    input: { name: "input", dims: [1, 3, side, side] },
    outputs: grids.map(({ name }) => name),
  });
};

/** Length of the output of `recogniserNetwork`. */
export const recogniserSize = 3 * 8 * 8;

/**
 * A network in the form of a recogniser, 1 x 3 x 112 x 112: the face in 8 x 8 coarse pixels of three colours.
 */
export const recogniserNetwork = (): Uint8Array =>
  encodeModel({
    name: "coarse",
    nodes: [
      {
        operator: "AveragePool",
        inputs: ["input"],
        output: "coarse",
        attributes: { kernel_shape: [14, 14], strides: [14, 14] },
      },
      { operator: "Flatten", inputs: ["coarse"], output: "embedding", attributes: { axis: 1 } },
    ],
    initializers: [],
    input: { name: "input", dims: [1, 3, 112, 112] },
    outputs: ["embedding"],
  });

/**
 * A network in the form of a text recogniser, 1 x 3 x 48 x width, that reads the colour of every eight
 * columns: R, B or Ñ where red, blue or green leads among inputs of -1…1, else the blank. `said` selects its
 * values: probabilities, or their logits.
 */
export const lineNetwork = (
  metadata: Readonly<Record<string, string>> = { character: "R\nB\nÑ" },
  said: "probabilities" | "logits" = "probabilities",
): Uint8Array => {
  // Classes: blank, R, B, Ñ, space. Rows: red, green, blue.
  const red = [0, 20, -10, -10, 0];
  const green = [0, -10, -10, 20, 0];
  const blue = [0, -10, 20, -10, 0];
  return encodeModel({
    name: "lines",
    nodes: [
      {
        operator: "AveragePool",
        inputs: ["input"],
        output: "columns",
        attributes: { kernel_shape: [48, 8], strides: [48, 8] },
      },
      { operator: "Reshape", inputs: ["columns", "rows"], output: "row", attributes: {} },
      { operator: "Transpose", inputs: ["row"], output: "transposed", attributes: { perm: [0, 2, 1] } },
      { operator: "MatMul", inputs: ["transposed", "weights"], output: "product", attributes: {} },
      { operator: "Add", inputs: ["product", "bias"], output: "logits", attributes: {} },
      { operator: "Softmax", inputs: ["logits"], output: "probabilities", attributes: { axis: -1 } },
    ],
    initializers: [
      { name: "rows", dims: [3], data: BigInt64Array.of(0n, 3n, -1n) },
      { name: "weights", dims: [3, 5], data: Float32Array.from([...red, ...green, ...blue]) },
      { name: "bias", dims: [5], data: Float32Array.of(2, 0, 0, 0, -20) },
    ],
    input: { name: "input", dims: [1, 3, 48, "width"] },
    outputs: [said],
    metadata,
  });
};

/** Sides of the maps of `cornersNetwork`. */
const mapSide = 64;

/**
 * A network in the form of a corner locator, 1 x 3 x 256 x 256, that finds these four corners in every image
 * (shares of the sides), each with the height `peak`, decreasing around it.
 */
export const cornersNetwork = (
  corners: readonly (readonly [x: number, y: number])[],
  peak = 0.9,
): Uint8Array => {
  const data = new Float32Array(corners.length * mapSide * mapSide);
  for (const [place, [x, y]] of corners.entries()) {
    for (let i = 0; i < mapSide * mapSide; i++) {
      const [across, down] = [(i % mapSide) + 0.5 - x * mapSide, Math.floor(i / mapSide) + 0.5 - y * mapSide];
      data[place * mapSide * mapSide + i] = peak * Math.exp(-(across * across + down * down) / 4);
    }
  }
  return encodeModel({
    name: "corners",
    nodes: [{ operator: "Identity", inputs: ["said"], output: "heatmap", attributes: {} }],
    initializers: [{ name: "said", dims: [1, corners.length, mapSide, mapSide], data }],
    input: { name: "img", dims: [1, 3, 256, 256] },
    outputs: ["heatmap"],
  });
};
