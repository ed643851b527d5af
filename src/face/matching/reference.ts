import { createHash } from "node:crypto";
import { centeringMeanBase64, impostors } from "./reference.generated.ts";

const decodeFloats = (base64: string): Float32Array => {
  const bytes = Buffer.from(base64, "base64");
  return Float32Array.from({ length: bytes.length / 4 }, (_, i) => bytes.readFloatLE(4 * i));
};

/**
 * Mean of faceres' summed descriptor over faces of people who do not exist; taken off before comparing. Centring
 * lifts faceres from 91.0 to 93.6 % TAR at FMR .1 % (docs/measurements.md).
 */
export const faceresMean: Float32Array = decodeFloats(centeringMeanBase64);

/** Cosines between different people who do not exist: what zero and one deviation of a score mean. */
export const impostorStatistics: {
  readonly dlib: { readonly mean: number; readonly deviation: number };
  readonly faceres: { readonly mean: number; readonly deviation: number };
} = impostors;

const nameOf = (word: string): string =>
  createHash("sha256").update(word).update(centeringMeanBase64).digest("hex").slice(0, 16);

/**
 * Names crop geometry, normalisation and centring in 8 bytes (hex): a descriptor made with another mean is another one.
 * Raise the word when `recognition.ts` changes what the networks see, and the next one with it.
 */
export const referenceId: string = nameOf("mesh-aligned, mirror-summed, 1");

/**
 * As `referenceId`, and the cohort by which templates say how common a face looks: what two cohorts say is not compared.
 * Raise the word when `models/face-cohort.bin` or what is taken off for commonness changes; templates made before are then
 * of another recogniser, and own cohorts are built anew.
 */
export const templateReferenceId: string = nameOf("mesh-aligned, mirror-summed, 1, commonness 3");
