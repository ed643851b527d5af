/**
 * Numbers of `passiveLivenessResult` and `serviceLivenessResult`, by event value. `Spoof` (1) and `Uncertain`
 * (2) are deprecated: accepted, never sent; an attack is `NoLive` (17).
 */
export const livenessNumber = {
  None: 0,
  Spoof: 1,
  Uncertain: 2,
  Live: 3,
  NoneBecauseBadQuality: 4,
  NoneBecauseFaceTooClose: 5,
  NoneBecauseFaceNotFound: 6,
  NoneBecauseFaceTooSmall: 7,
  NoneBecauseAngleTooLarge: 8,
  NoneBecauseImageDataError: 9,
  NoneBecauseInternalError: 10,
  NoneBecauseImagePreprocessError: 11,
  NoneBecauseTooManyFaces: 12,
  NoneBecauseFaceTooCloseToBorder: 13,
  NoneBecauseFaceCropped: 14,
  NoneBecauseLicenseError: 15,
  NoneBecauseFaceOccluded: 16,
  NoLive: 17,
  NoneBecauseEyesClosed: 18,
} as const;

/**
 * Assurance of a liveness result, for the operator: `unsealed` rests on a plain image in the place of a
 * token, whatever its cues; `advisory` on physical cues of one image, `model` adds a network, `multi-frame`
 * adds motion of the capture subject. `active-turn`: the token of a capture session states that the head
 * rotated as a fresh challenge asked. None is an ISO/IEC 30107-3 level.
 */
export const assuranceLevels = ["unsealed", "advisory", "model", "multi-frame", "active-turn"] as const;
export type AssuranceLevel = (typeof assuranceLevels)[number];

/** Event value of a liveness diagnostic. */
export type LivenessDiagnostic = keyof typeof livenessNumber;

/** Number of a liveness diagnostic on the wire. */
export type LivenessNumber = (typeof livenessNumber)[LivenessDiagnostic];
