import { isUnitVector } from "../engine/recognition.ts";
import type { SingleTemplate } from "./template-kinds.ts";

const magic = "IDFA";
const version = 1;
const recogniserBytes = 40;
const headerBytes = magic.length + 1 + recogniserBytes + 2;

/**
 * The number of values of a vector: fewer cannot separate identities, more do not fit into the rows of a
 * gallery.
 */
export const vectorSizes = { min: 16, max: 1152 } as const;

/**
 * `IDFA`, version (1 byte), the recogniser's name (40 bytes), the number of values (2 bytes), then the
 * values; little-endian float32.
 */
export const packSingle = ({ recogniser, vector }: SingleTemplate): Uint8Array => {
  const bytes = Buffer.alloc(headerBytes + 4 * vector.length);
  bytes.write(magic, "latin1");
  bytes[magic.length] = version;
  bytes.write(recogniser, magic.length + 1, "hex");
  bytes.writeUInt16LE(vector.length, headerBytes - 2);
  vector.forEach((value, i) => bytes.writeFloatLE(value, headerBytes + 4 * i));
  return new Uint8Array(bytes);
};

/** Undefined for bytes in another format, and for values that are not a unit vector. */
export const unpackSingle = (bytes: Uint8Array): SingleTemplate | undefined => {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const length = (view.length - headerBytes) / 4;
  const isSized = Number.isInteger(length) && length >= vectorSizes.min && length <= vectorSizes.max;
  if (
    !isSized ||
    view.readUInt16LE(headerBytes - 2) !== length ||
    view.toString("latin1", 0, magic.length) !== magic ||
    view[magic.length] !== version
  ) {
    return undefined;
  }
  const vector = Float32Array.from({ length }, (_, i) => view.readFloatLE(headerBytes + 4 * i));
  const recogniser = view.toString("hex", magic.length + 1, headerBytes - 2);
  return isUnitVector(vector) ? { recogniser, vector } : undefined;
};
