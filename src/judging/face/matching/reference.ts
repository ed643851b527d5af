import { createHash } from "node:crypto";
import { centeringMeanBase64, impostors } from "./reference.generated.ts";

const decodeFloats = (base64: string): Float32Array => {
  const bytes = Buffer.from(base64, "base64");
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
};

/**
 * Mean of faceres' summed descriptor over generated faces, subtracted before a comparison. Centring raises
 * faceres from 91.0 to 93.6 % TAR at FMR .1 % (docs/measurements/faces.md).
 */
export const faceresMean: Float32Array = decodeFloats(centeringMeanBase64);

/** Cosines between different generated faces: they define zero and one deviation of a score. */
export const impostorStatistics: {
  readonly dlib: { readonly mean: number; readonly deviation: number };
  readonly faceres: { readonly mean: number; readonly deviation: number };
} = impostors;

const nameOf = (text: string): string =>
  createHash("sha256").update(text).update(centeringMeanBase64).digest("hex").slice(0, 16);

/**
 * Names crop geometry, normalisation and centring in 8 bytes (hex): a descriptor made with another mean is a
 * different one. Raise the number in the name when `recognition.ts` changes the input of the networks, and
 * the next name with it.
 */
export const referenceId: string = nameOf("mesh-aligned, mirror-summed, 1");

/**
 * As `referenceId`, with the cohort of the templates' cohort score: values of two cohorts are not comparable.
 * Raise the number in the name when `models/face-cohort.bin` or the score normalisation changes. Earlier
 * templates then belong to another recogniser, and own cohorts must be built again.
 */
export const templateReferenceId: string = nameOf("mesh-aligned, mirror-summed, 1, commonness 3");
