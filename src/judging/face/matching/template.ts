import { isUnitVector, unitVector } from "../engine/recognition.ts";
import type { Cohort } from "./cohort.ts";
import { cohortScoreOf } from "./cohort-score.ts";
import { faceresMean, templateReferenceId } from "./reference.ts";
import { packSingle, unpackSingle } from "./single-template.ts";
import { isPair, type PairTemplate, type Template, vectorsOf } from "./template-kinds.ts";

/** Hashes of the two recognisers' weights, SHA-256 hex, as in the ledger. */
export type RecogniserModels = { readonly dlib: string; readonly faceres: string };

const magic = "IDFT";
const version = 2;
const dlibSize = 128;
const faceresSize = 1024;
const hashBytes = 32;
const recogniserBytes = 2 * hashBytes + 8;
const headerBytes = magic.length + 1 + recogniserBytes + 4;

/** Length of every template of the pair in bytes. */
export const templateBytes = headerBytes + 4 * (dlibSize + faceresSize);

/** Names two recognisers, crop, normalisation, centring mean and cohort: 72 bytes, hex. */
export const recogniserOf = ({ dlib, faceres }: RecogniserModels): string =>
  `${dlib}${faceres}${templateReferenceId}`;

/**
 * Packs an embedding: `IDFT`, version (1 byte), SHA-256 of the dlib weights, SHA-256 of the faceres weights,
 * 8 bytes naming crop, normalisation, centring mean and cohort, then as little-endian float32 the cohort
 * score, and 128 + 1024 values. Throws Error for a cohort of another recogniser.
 */
export const packTemplate = (
  models: RecogniserModels,
  embedding: { readonly dlib: Float32Array; readonly faceres: Float32Array },
  cohort: Cohort,
): Uint8Array => {
  const recogniser = recogniserOf(models);
  if (cohort.recogniser !== recogniser) {
    throw new Error("The cohort was made with another recogniser");
  }
  const bytes = new Uint8Array(templateBytes);
  bytes.set(Buffer.from(magic, "latin1"));
  bytes[magic.length] = version;
  bytes.set(Buffer.from(recogniser, "hex"), magic.length + 1);
  const view = new DataView(bytes.buffer);
  const centred = centredFaceres(embedding);
  const vectors = { dlib: embedding.dlib, faceres: centred };
  view.setFloat32(headerBytes - 4, cohortScoreOf(cohort.faces, vectors, "shipped"), true);
  let at = headerBytes;
  for (const vector of [embedding.dlib, centred]) {
    for (let i = 0; i < vector.length; i++, at += 4) {
      view.setFloat32(at, vector[i]!, true);
    }
  }
  return bytes;
};

/** The faceres descriptor as templates store it: centred by the reference mean, unit length. */
export const centredFaceres = ({ faceres }: { readonly faceres: Float32Array }): Float32Array =>
  unitVector(faceres.map((value, i) => value - faceresMean[i]!));

/**
 * More than any mean of fused scores: a face compared with itself has 6.31, and the 4,265 faces of the
 * shipped cohort have 1.0 to 3.6 among themselves. The caller provides a template, and each unit too much
 * would subtract half from every score with it.
 */
const cohortScoreMax = 6.5;

/**
 * Reads a template; undefined if the bytes have another format, if their values are not unit vectors, or if
 * the cohort score is higher than possible.
 */
export const unpackPair = (bytes: Uint8Array): PairTemplate | undefined => {
  const isTemplate =
    bytes.length === templateBytes &&
    Buffer.from(bytes.subarray(0, magic.length)).toString("latin1") === magic &&
    bytes[magic.length] === version;
  if (!isTemplate) {
    return undefined;
  }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const values = Float32Array.from({ length: dlibSize + faceresSize }, (_, i) =>
    view.getFloat32(headerBytes + 4 * i, true),
  );
  const template = {
    recogniser: Buffer.from(bytes.subarray(magic.length + 1, headerBytes - 4)).toString("hex"),
    cohortScore: view.getFloat32(headerBytes - 4, true),
    dlib: values.subarray(0, dlibSize),
    faceres: values.subarray(dlibSize),
  };
  const isWhole =
    isUnitVector(template.dlib) &&
    isUnitVector(template.faceres) &&
    Number.isFinite(template.cohortScore) &&
    template.cohortScore <= cohortScoreMax;
  return isWhole ? template : undefined;
};

/** Reads a template of the bundled pair or of an added recogniser; undefined as `unpackPair`. */
export const unpackTemplate = (bytes: Uint8Array): Template | undefined =>
  unpackPair(bytes) ?? unpackSingle(bytes);

/** The recogniser named in a template; undefined for bytes in another format. */
export const recogniserOfTemplate = (bytes: Uint8Array): string | undefined =>
  unpackTemplate(bytes)?.recogniser;

/** The changes to the parts of a template. */
export type TemplateMap = {
  /**
   * The result is normalised to unit length to the last digit, for any input, so that it can be read as a
   * vector again.
   */
  readonly vector: (vector: Float32Array) => Float32Array;
  /** Only for the bundled pair. */
  readonly cohortScore: (cohortScore: number) => number;
};

/** The template with each of its parts mapped; undefined for bytes in another format. */
export const mapTemplate = (bytes: Uint8Array, map: TemplateMap): Uint8Array | undefined => {
  const template = unpackTemplate(bytes);
  if (template === undefined) {
    return undefined;
  }
  return isPair(template)
    ? mapPair(bytes, template, map)
    : packSingle({ ...template, vector: map.vector(unitVector(template.vector)) });
};

const mapPair = (bytes: Uint8Array, template: PairTemplate, map: TemplateMap): Uint8Array => {
  const mapped = Uint8Array.from(bytes);
  const view = new DataView(mapped.buffer);
  view.setFloat32(headerBytes - 4, map.cohortScore(template.cohortScore), true);
  const [dlib, faceres] = [unitVector(template.dlib), unitVector(template.faceres)];
  [...map.vector(dlib), ...map.vector(faceres)].forEach((value, i) => {
    view.setFloat32(headerBytes + 4 * i, value, true);
  });
  return mapped;
};

/**
 * Far above the effect of rounding on a value of a unit vector (1e-7), far below that of another image
 * (1e-2).
 */
const roundingMax = 1e-5;

/**
 * True if two templates are identical except for rounding and length; a template of another image of the same
 * person is not.
 */
export const isSameTemplate = (a: Uint8Array, b: Uint8Array): boolean => {
  const [left, right] = [unpackTemplate(a), unpackTemplate(b)];
  if (left === undefined || left.recogniser !== right?.recogniser) {
    return false;
  }
  const [ours, theirs] = [vectorsOf(left).map(unitVector), vectorsOf(right).map(unitVector)];
  return ours.every((vector, n) =>
    vector.every((value, i) => Math.abs(value - (theirs[n]?.[i] ?? Number.NaN)) < roundingMax),
  );
};
