import { unitVector } from "../engine/recognition.ts";
import { cohortScoreOf } from "./cohort-score.ts";
import { findCrooked, type ScalePoint, type ScoreScale } from "./score-scale.ts";
import { isPair, type Template, type Vectors } from "./template-kinds.ts";

/** Faces of many kinds, the reference population for the cohort score. */
export type Cohort = {
  /** As in a template: faces of another recogniser are not comparable. */
  readonly recogniser: string;
  readonly faces: readonly Vectors[];
  /** The calibration of fused scores under this cohort, counted on its own identities (`fit-points.ts`). */
  readonly points?: readonly ScalePoint[];
};

/** A cohort with the SHA-256 of its file, hex, which names it in decisions. */
export type NamedCohort = Cohort & { readonly hash: string };

const magic = "IDFC";
/** 2 has points, 1 none. */
const versions = { plain: 1, withPoints: 2 } as const;
const recogniserBytes = 72;
const headerBytes = magic.length + 1 + recogniserBytes + 2;
const dlibSize = 128;
const faceresSize = 1024;
const faceBytes = 4 + dlibSize + 4 + faceresSize;
const pointBytes = 16;
const pointsMax = 16;
/** A face compared with itself has a fused score of 6.31; the normalisation subtracts less than that. */
const valueMax = 10;

/**
 * Packs a cohort: `IDFC`, version, the 72 bytes of the recogniser, the number of faces (2 bytes,
 * little-endian), in version 2 the number of points (1 byte) and each point's false match rate and value
 * (float64), then for each face its two vectors as a float32 step and signed bytes. Rounding moves a cosine
 * by less than a fiftieth of a deviation.
 */
export const packCohort = ({ recogniser, faces, points }: Cohort): Uint8Array => {
  const bytes = Buffer.alloc(headerBytes + bytesOfPoints(points) + faces.length * faceBytes);
  bytes.write(magic, "latin1");
  bytes[magic.length] = points === undefined ? versions.plain : versions.withPoints;
  bytes.write(recogniser, magic.length + 1, "hex");
  bytes.writeUInt16LE(faces.length, headerBytes - 2);
  if (points !== undefined) {
    bytes[headerBytes] = points.length;
    points.forEach(({ falseMatchRate, value }, i) => {
      bytes.writeDoubleLE(falseMatchRate, headerBytes + 1 + i * pointBytes);
      bytes.writeDoubleLE(value, headerBytes + 9 + i * pointBytes);
    });
  }
  let at = headerBytes + bytesOfPoints(points);
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

const bytesOfPoints = (points: Cohort["points"]): number =>
  points === undefined ? 0 : 1 + points.length * pointBytes;

/** Reads a cohort. Throws Error for bytes in another format, and for points that are not a scale. */
export const unpackCohort = (packed: Uint8Array): Cohort => {
  const bytes = Buffer.from(packed.buffer, packed.byteOffset, packed.byteLength);
  const points = readPoints(bytes);
  const facesFrom = headerBytes + bytesOfPoints(points);
  const count = bytes.length > headerBytes ? bytes.readUInt16LE(headerBytes - 2) : 0;
  if (count === 0 || bytes.length !== facesFrom + count * faceBytes) {
    throw new Error("The file is not a face cohort");
  }
  const vector = (at: number, size: number): Float32Array => {
    const step = bytes.readFloatLE(at);
    const values = new Float32Array(size);
    // A plain loop: nearly five million values are read at each start of a thread.
    for (let i = 0; i < size; i++) values[i] = step * bytes.readInt8(at + 4 + i);
    return unitVector(values);
  };
  return {
    recogniser: bytes.toString("hex", magic.length + 1, magic.length + 1 + recogniserBytes),
    faces: Array.from({ length: count }, (_, i) => {
      const at = facesFrom + i * faceBytes;
      return { dlib: vector(at, dlibSize), faceres: vector(at + 4 + dlibSize, faceresSize) };
    }),
    ...(points && { points }),
  };
};

/** Undefined in version 1. Throws as `unpackCohort`. */
const readPoints = (bytes: Buffer): Cohort["points"] => {
  const version = bytes.toString("latin1", 0, magic.length) === magic ? bytes[magic.length] : undefined;
  if (version === versions.plain) return undefined;
  const length = bytes[headerBytes] ?? 0;
  if (
    version !== versions.withPoints ||
    length > pointsMax ||
    bytes.length < headerBytes + 1 + length * pointBytes
  ) {
    throw new Error("The file is not a face cohort");
  }
  const points = Array.from({ length }, (_, i) => ({
    falseMatchRate: bytes.readDoubleLE(headerBytes + 1 + i * pointBytes),
    value: bytes.readDoubleLE(headerBytes + 9 + i * pointBytes),
  }));
  const crooked = findCrooked(points, valueMax);
  if (crooked !== undefined) {
    throw new Error(`The cohort's scale cannot be used: ${crooked}`);
  }
  return points;
};

/** The scale of an own cohort: its faces give the cohort score, its points the calibration of scores. */
export const scaleOfCohort = ({ hash, recogniser, faces, points }: NamedCohort): ScoreScale => ({
  recogniser,
  name: `cohort/${hash.slice(0, 8)}`,
  faces,
  ...(points && { points }),
});

/**
 * The template with the cohort score of an own cohort. Every template holds the cohort score of the shipped
 * cohort. An own cohort is applied at the comparison, so that it can change without a change of any template.
 */
export const normaliseTemplate = (scale: ScoreScale | undefined, template: Template): Template =>
  scale?.faces !== undefined && isPair(template) && template.recogniser === scale.recogniser
    ? { ...template, cohortScore: cohortScoreOf(scale.faces, template, "own"), cohort: "own" }
    : template;
