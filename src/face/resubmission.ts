import { compare } from "./comparison.ts";
import { fingerprintDistance } from "./fingerprint.ts";
import type { FaceMeasurement } from "./measurement.ts";
import { unpackTemplate } from "./template.ts";

/**
 * One picture sent twice. Scaled, cropped or recompressed copies of a picture differ in at most 23 of 256 bits and
 * have a dlib cosine of .999; frames of one video a second apart have .991 (measured on generated copies).
 */
const bitsMax = 24;
const dlibCosineMin = 0.995;

/**
 * Whether two measured pictures are copies of one: a selfie that is the document's own portrait was not taken
 * by a camera that saw the person. False when either was not measured with a template.
 */
export const isSamePicture = (a: FaceMeasurement, b: FaceMeasurement): boolean => {
  if (a.kind !== "measured" || b.kind !== "measured" || a.face === undefined || b.face === undefined) {
    return false;
  }
  const [left, right] = [a.template, b.template].map((bytes) => bytes && unpackTemplate(bytes));
  const comparison = left && right ? compare(left, right) : undefined;
  return (
    comparison !== undefined &&
    comparison.dlibCosine >= dlibCosineMin &&
    fingerprintDistance(a.face.fingerprint, b.face.fingerprint) <= bitsMax
  );
};
