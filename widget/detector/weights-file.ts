import { planFloats } from "./plan.ts";

/**
 * "IDFD", then the version in one byte, then each weight as a half-precision number (IEEE 754 binary16),
 * little-endian.
 */
const weightsMagic = [0x49, 0x44, 0x46, 0x44, 1] as const;

/** The smallest exponent of a normal half. */
const smallest = 2 ** -14;

const halfOf = (bits: number): number => {
  const sign = bits & 0x8000 ? -1 : 1;
  const exponent = (bits >> 10) & 0x1f;
  const fraction = bits & 0x3ff;
  return exponent === 0
    ? sign * smallest * (fraction / 1024)
    : sign * 2 ** (exponent - 15) * (1 + fraction / 1024);
};

/** The weights of a file. Throws RangeError for any other file. */
export const readWeights = (bytes: Uint8Array): Float32Array => {
  const isOurs =
    bytes.length === weightsMagic.length + 2 * planFloats &&
    weightsMagic.every((byte, i) => bytes[i] === byte);
  if (!isOurs) throw new RangeError("The bytes are no weights of the face detector");
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return Float32Array.from({ length: planFloats }, (_, i) =>
    halfOf(view.getUint16(weightsMagic.length + 2 * i, true)),
  );
};
