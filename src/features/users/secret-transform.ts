import { createCipheriv } from "node:crypto";

/**
 * Rotates a vector of any length by an orthonormal transform that depends only on the secret. It has three
 * rounds of random signs, a random order and a normalised Hadamard transform. Together they act as a random
 * rotation (Yu et al., Orthogonal Random Features, 2016). Lengths and angles stay, so two faces under one
 * secret compare as before; two secrets share nothing. Made by {@link makeSecretTransform}.
 */
export type SecretTransform = {
  readonly apply: (vector: Float32Array) => Float32Array;
  readonly undo: (vector: Float32Array) => Float32Array;
};

const rounds = 3;

type Round = { readonly signs: Int8Array; readonly order: Uint32Array };

/**
 * `secret` has 32 bytes. Equal secrets give equal bits on every machine: the arithmetic is exactly IEEE 754.
 */
export const makeSecretTransform = (secret: Uint8Array): SecretTransform => ({
  apply: (vector) => {
    let values = Float64Array.from(vector);
    for (const { signs, order } of drawRounds(secret, vector.length)) {
      const before = values;
      values = new Float64Array(before.length);
      for (let to = 0; to < order.length; to++) {
        const from = order[to]!;
        values[to] = signs[from]! * before[from]!;
      }
      blocksOf(values).forEach(hadamard);
    }
    return new Float32Array(values);
  },
  undo: (vector) => {
    let values = Float64Array.from(vector);
    for (const { signs, order } of drawRounds(secret, vector.length).toReversed()) {
      blocksOf(values).toReversed().forEach(hadamard);
      const after = values;
      values = new Float64Array(after.length);
      for (let to = 0; to < order.length; to++) {
        const from = order[to]!;
        values[from] = signs[from]! * after[to]!;
      }
    }
    return new Float32Array(values);
  },
});

/**
 * Blocks whose size is a power of two and that cover the vector: the whole vector, or its start and its end,
 * which overlap.
 */
const blocksOf = (values: Float64Array): readonly Float64Array[] => {
  const size = 2 ** (31 - Math.clz32(values.length));
  return size === values.length ? [values] : [values.subarray(0, size), values.subarray(-size)];
};

/** Normalised Walsh-Hadamard transform in place: orthonormal, and its own inverse. */
const hadamard = (block: Float64Array): void => {
  for (let half = 1; half < block.length; half *= 2) {
    for (let from = 0; from < block.length; from += 2 * half) {
      for (let i = from; i < from + half; i++) {
        const a = block[i]!;
        const b = block[i + half]!;
        block[i] = a + b;
        block[i + half] = a - b;
      }
    }
  }
  const scale = 1 / Math.sqrt(block.length);
  for (let i = 0; i < block.length; i++) {
    block[i]! *= scale;
  }
};

/**
 * The rounds for vectors of one length: a stream of AES-256-CTR under the secret, with the length as initial
 * counter block.
 */
const drawRounds = (secret: Uint8Array, length: number): readonly Round[] => {
  const start = Buffer.alloc(16);
  start.writeUInt32BE(length);
  const stream = createCipheriv("aes-256-ctr", secret, start);
  return Array.from({ length: rounds }, () => {
    const bits = stream.update(Buffer.alloc(length));
    const words = stream.update(Buffer.alloc(4 * length));
    return { signs: signsOf(bits), order: shuffle(length, words) };
  });
};

const signsOf = (bits: Uint8Array): Int8Array => {
  const signs = new Int8Array(bits.length);
  for (let i = 0; i < bits.length; i++) {
    signs[i] = bits[i]! & 1 ? 1 : -1;
  }
  return signs;
};

/**
 * Fisher-Yates from 32-bit words. The bias of the remainder is under 2^-20 for vectors of some thousand
 * values.
 */
const shuffle = (length: number, words: Buffer): Uint32Array => {
  const order = new Uint32Array(length);
  for (let i = 0; i < length; i++) {
    order[i] = i;
  }
  for (let last = length - 1; last > 0; last--) {
    const other = words.readUInt32BE(4 * last) % (last + 1);
    const moved = order[last]!;
    order[last] = order[other]!;
    order[other] = moved;
  }
  return order;
};
