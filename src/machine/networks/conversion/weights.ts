import { type Static, Type } from "typebox";

const quantizationSchema = Type.Object({
  dtype: Type.Enum(["float16", "uint8", "uint16"]),
  scale: Type.Optional(Type.Number()),
  min: Type.Optional(Type.Number()),
});

const weightSchema = Type.Object({
  name: Type.String(),
  shape: Type.Array(Type.Integer()),
  dtype: Type.Enum(["float32", "int32"]),
  quantization: Type.Optional(quantizationSchema),
});

/** `weightsManifest` of a TensorFlow.js model: groups of consecutive tensors in a file. */
export const manifestSchema = Type.Array(
  Type.Object({ paths: Type.Array(Type.String()), weights: Type.Array(weightSchema) }),
);

type Weight = Static<typeof weightSchema>;

/**
 * A tensor known at conversion time, row-major. Whole numbers (axes, shapes, paddings) are exact in 32-bit
 * floats.
 */
export type Constant = { readonly shape: readonly number[]; readonly data: Float32Array };

const bytesPerElement = { float32: 4, int32: 4, float16: 2, uint8: 1, uint16: 2 } as const;

/** IEEE 754 binary16, 3.4: all 65,536 values once, so that decoding a network is a look-up. */
const makeHalfTable = (): Float32Array =>
  Float32Array.from({ length: 65_536 }, (_, bits) => {
    const sign = bits & 0x8000 ? -1 : 1;
    const exponent = (bits >> 10) & 31;
    const fraction = bits & 1023;
    if (exponent === 0) return sign * fraction * 2 ** -24;
    if (exponent === 31) return fraction === 0 ? sign * Infinity : NaN;
    return sign * (1 + fraction / 1024) * 2 ** (exponent - 15);
  });

const decode = (
  { dtype, quantization }: Weight,
  bytes: ArrayBuffer,
  halves: () => Float32Array,
): Float32Array => {
  if (quantization === undefined) {
    return dtype === "float32" ? new Float32Array(bytes) : new Float32Array(new Int32Array(bytes));
  }
  const codes = quantization.dtype === "uint8" ? new Uint8Array(bytes) : new Uint16Array(bytes);
  const values = new Float32Array(codes.length);
  if (quantization.dtype === "float16") {
    const table = halves();
    for (let i = 0; i < values.length; i++) values[i] = table[codes[i]!]!;
    return values;
  }
  const { scale = 1, min = 0 } = quantization;
  for (let i = 0; i < values.length; i++) values[i] = codes[i]! * scale + min;
  return values;
};

/**
 * Decodes every tensor of one group from its file. Throws Error when the file is shorter than the manifest
 * states.
 */
export const decodeWeights = (
  weights: readonly Weight[],
  file: Uint8Array,
): ReadonlyMap<string, Constant> => {
  const constants = new Map<string, Constant>();
  let table: Float32Array | undefined;
  const halves = (): Float32Array => (table ??= makeHalfTable());
  let at = 0;
  for (const weight of weights) {
    const elements = weight.shape.reduce((product, dim) => product * dim, 1);
    const end = at + elements * bytesPerElement[weight.quantization?.dtype ?? weight.dtype];
    if (end > file.length) throw new Error(`The weights file ends inside ${weight.name}`);
    const bytes = new Uint8Array(file.subarray(at, end)).buffer;
    constants.set(weight.name, { shape: weight.shape, data: decode(weight, bytes, halves) });
    at = end;
  }
  return constants;
};
