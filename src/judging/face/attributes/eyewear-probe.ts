import { referenceId } from "../matching/reference.ts";
import type { RecogniserModels } from "../matching/template.ts";

/**
 * Linear probes of the faceres descriptor: whether the face wears eyewear, and if so, whether the lenses hide
 * the eyes. Made by `lab/training/eyewear/` from generated faces.
 */
export type EyewearProbe = {
  /** The descriptor of the weights, hex: SHA-256 of the faceres weights, and the reference's name. */
  readonly descriptor: string;
  readonly worn: LinearProbe;
  readonly dark: LinearProbe;
};

/** The probe with the SHA-256 of its file, hex, which names it in decisions. */
export type NamedEyewearProbe = EyewearProbe & { readonly hash: string };

/** Log odds are `bias + weights · descriptor`. */
export type LinearProbe = { readonly weights: Float32Array; readonly bias: number };

/**
 * Natural logarithms of odds, above 0 more likely than not, on generated faces of which half wear eyewear.
 */
export type EyewearOdds = {
  readonly worn: number;
  /** Dark rather than clear, given that eyewear is worn. */
  readonly dark: number;
};

/** Names the descriptor of this release. A probe of another descriptor is not valid for it. */
export const descriptorOf = ({ faceres }: Pick<RecogniserModels, "faceres">): string =>
  `${faceres}${referenceId}`;

const magic = "IDEW";
const version = 1;
const descriptorBytes = 40;
const size = 1024;
const probeBytes = 4 + 4 + 2 * size;
const headerBytes = magic.length + 1 + descriptorBytes;

/**
 * Packs the probes: `IDEW`, version, the 40 bytes of the descriptor's name, then for each probe its bias and
 * step as little-endian float32 and 1024 weights as signed 16-bit steps.
 */
export const packEyewearProbe = ({ descriptor, worn, dark }: EyewearProbe): Uint8Array => {
  const bytes = Buffer.alloc(headerBytes + 2 * probeBytes);
  bytes.write(magic, "latin1");
  bytes[magic.length] = version;
  bytes.write(descriptor, magic.length + 1, "hex");
  for (const [at, { weights, bias }] of [
    [headerBytes, worn],
    [headerBytes + probeBytes, dark],
  ] as const) {
    const step = Math.fround(Math.max(...weights.map(Math.abs)) / 32_767);
    bytes.writeFloatLE(bias, at);
    bytes.writeFloatLE(step, at + 4);
    weights.forEach((weight, i) => bytes.writeInt16LE(Math.round(weight / step), at + 8 + 2 * i));
  }
  return bytes;
};

/**
 * Reads the probes. Throws Error for bytes in another format, and for probes of another descriptor than
 * `expected`.
 */
export const unpackEyewearProbe = (packed: Uint8Array, expected: string): EyewearProbe => {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const isProbe =
    bytes.length === headerBytes + 2 * probeBytes &&
    bytes.toString("latin1", 0, magic.length) === magic &&
    bytes[magic.length] === version;
  if (!isProbe) {
    throw new Error("The file is not an eyewear probe");
  }
  const probe = (at: number): LinearProbe => {
    const step = bytes.readFloatLE(at + 4);
    return {
      bias: bytes.readFloatLE(at),
      weights: Float32Array.from({ length: size }, (_, i) => step * bytes.readInt16LE(at + 8 + 2 * i)),
    };
  };
  const descriptor = bytes.toString("hex", magic.length + 1, headerBytes);
  if (descriptor !== expected) {
    throw new Error("The eyewear probe was made for another face descriptor");
  }
  return {
    descriptor,
    worn: probe(headerBytes),
    dark: probe(headerBytes + probeBytes),
  };
};

/** Judges a descriptor as templates store it: centred by the reference mean, unit length. */
export const eyewearOdds = ({ worn, dark }: EyewearProbe, descriptor: Float32Array): EyewearOdds => ({
  worn: logOdds(worn, descriptor),
  dark: logOdds(dark, descriptor),
});

export const logOdds = ({ weights, bias }: LinearProbe, vector: Float32Array): number => {
  let sum = bias;
  for (let i = 0; i < vector.length; i++) {
    sum += vector[i]! * weights[i]!;
  }
  return sum;
};
