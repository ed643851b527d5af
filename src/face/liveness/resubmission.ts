import { fingerprintDistance } from "../engine/fingerprint.ts";
import { cosinesOf } from "../matching/comparison.ts";
import { unpackTemplate } from "../matching/template.ts";
import { isPair } from "../matching/template-kinds.ts";
import type { FaceMeasurement } from "../measurement.ts";

/**
 * One picture sent twice. Scaled, cropped or recompressed copies of a picture differ in at most 23 of 256 bits and
 * have a dlib cosine of .999; frames of one video a second apart have .991 (measured on generated copies).
 */
const bitsMax = 24;
const dlibCosineMin = 0.995;
/** Of an added recogniser nobody has measured what copies lose, so it leaves more to the signature. */
const addedCosineMin = 0.97;

/**
 * Whether two measured pictures are copies of one: a selfie that is the document's own portrait was not taken
 * by a camera that saw the person. False when either was not measured with a template.
 */
export const isSamePicture = (a: FaceMeasurement, b: FaceMeasurement): boolean => {
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
