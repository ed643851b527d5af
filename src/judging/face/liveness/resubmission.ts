import { fingerprintDistance } from "../engine/fingerprint.ts";
import { cosinesOf } from "../matching/comparison.ts";
import { unpackTemplate } from "../matching/template.ts";
import { isPair } from "../matching/template-kinds.ts";
import type { FaceMeasurement } from "../measurement.ts";

/**
 * Copies of one image. Scaled, cropped or recompressed copies differ in at most 23 of 256 bits and have a
 * dlib cosine of .999; frames of one video with a distance of a second have .991 (measured on generated
 * copies).
 */
const bitsMax = 24;
const dlibCosineMin = 0.995;
/** Copies are not measured with an added recogniser, so the signature counts more. */
const addedCosineMin = 0.97;

/**
 * Whether two measured images are copies of one image: a copy of the document portrait is no capture of the
 * user. False where one of them has no template.
 */
export const isSameImage = (a: FaceMeasurement, b: FaceMeasurement): boolean => {
  if (a.kind !== "measured" || b.kind !== "measured" || a.face === undefined || b.face === undefined) {
    return false;
  }
  const [left, right] = [a.template, b.template].map((bytes) => bytes && unpackTemplate(bytes));
  const [cosine = Number.NaN] = (left && right && cosinesOf(left, right)) ?? [];
  return (
    left !== undefined &&
    cosine >= (isPair(left) ? dlibCosineMin : addedCosineMin) &&
    fingerprintDistance(a.face.fingerprint, b.face.fingerprint) <= bitsMax
  );
};
