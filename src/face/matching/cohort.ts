import { unitVector } from "../engine/recognition.ts";
import { cosine, fuse } from "./comparison.ts";
import type { PairTemplate } from "./template-kinds.ts";

/** The vectors by which faces are compared. */
export type Vectors = Pick<PairTemplate, "dlib" | "faceres">;

/** Faces of many kinds, against which it is told how common a face looks to the recognisers. */
export type Cohort = {
  /** As in a template: faces of another recogniser say nothing. */
  readonly recogniser: string;
  readonly faces: readonly Vectors[];
};

/** A cohort with the SHA-256 of its file, hex, by which decisions name it. */
export type NamedCohort = Cohort & { readonly hash: string };

const magic = "IDFC";
const version = 1;
const recogniserBytes = 72;
const headerBytes = magic.length + 1 + recogniserBytes + 2;
const dlibSize = 128;
const faceresSize = 1024;
const faceBytes = 4 + dlibSize + 4 + faceresSize;

/**
 * How alike a face is to its nearest strangers: the mean fused score with this share of the cohort, 5 of the 458 that
 * ship. A share, so that the figure means the same for a cohort of another size. On LFW and UTKFace 5, 10 and 20 are worth
 * about the same (docs/measurements.md).
 */
const neighbourShare = 5 / 458;

/**
 * Packs a cohort: `IDFC`, version, the 72 bytes of the recogniser, the count (2 bytes, little-endian), then for each face
 * its two vectors as a float32 step and signed bytes. Rounding moves a cosine by less than a fiftieth of a deviation.
 */
export const packCohort = ({ recogniser, faces }: Cohort): Uint8Array => {
  const bytes = Buffer.alloc(headerBytes + faces.length * faceBytes);
  bytes.write(magic, "latin1");
  bytes[magic.length] = version;
  bytes.write(recogniser, magic.length + 1, "hex");
  bytes.writeUInt16LE(faces.length, headerBytes - 2);
  let at = headerBytes;
  for (const { dlib, faceres } of faces) {
    for (const vector of [dlib, faceres]) {
      const step = Math.max(...vector.map(Math.abs)) / 127;
      bytes.writeFloatLE(step, at);
      vector.forEach((value, i) => bytes.writeInt8(Math.round(value / step), at + 4 + i));
      at += 4 + vector.length;
    }
  }
  return bytes;
};

/** Reads a cohort. Throws Error for bytes that are none. */
export const unpackCohort = (packed: Uint8Array): Cohort => {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const isCohort =
    bytes.length > headerBytes &&
    bytes.toString("latin1", 0, magic.length) === magic &&
    bytes[magic.length] === version &&
    bytes.length === headerBytes + bytes.readUInt16LE(headerBytes - 2) * faceBytes;
  if (!isCohort) {
    throw new Error("The file is no cohort of faces");
  }
  const vector = (at: number, size: number): Float32Array => {
    const step = bytes.readFloatLE(at);
    return unitVector(Float32Array.from({ length: size }, (_, i) => step * bytes.readInt8(at + 4 + i)));
  };
  const count = bytes.readUInt16LE(headerBytes - 2);
  return {
    recogniser: bytes.toString("hex", magic.length + 1, magic.length + 1 + recogniserBytes),
    faces: Array.from({ length: count }, (_, i) => {
      const at = headerBytes + i * faceBytes;
      return { dlib: vector(at, dlibSize), faceres: vector(at + 4 + dlibSize, faceresSize) };
    }),
  };
};

/**
 * How common a face looks: its mean score with those of the cohort that are most like it, in impostor deviations. Faces
 * of groups that the recognisers know less of lie closer together, and score higher with strangers.
 */
export const commonnessOf = ({ faces }: Cohort, { dlib, faceres }: Vectors): number => {
  const scores = faces.map((face) => fuse(cosine(face.dlib, dlib), cosine(face.faceres, faceres)));
  const neighbours = Math.max(1, Math.round(faces.length * neighbourShare));
  const nearest = scores.sort((a, b) => b - a).slice(0, neighbours);
  return nearest.reduce((sum, score) => sum + score, 0) / nearest.length;
};
