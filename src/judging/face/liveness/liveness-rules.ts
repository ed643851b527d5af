import type { LivenessDiagnostic } from "#contract/liveness";
import type { MeasuredFace, MeasuredImage } from "../measurement.ts";
import type { LivenessPolicy } from "../policy.ts";

export type LivenessSubject = {
  readonly image: MeasuredImage;
  readonly face: MeasuredFace;
  readonly policy: LivenessPolicy;
};

/** One reason not to search for an attack: a condition that the user can correct. */
export type LivenessRule = {
  readonly result: LivenessResult;
  readonly holds: (subject: LivenessSubject) => boolean;
  /** When it holds, for the documentation, with the values of the policy. */
  readonly when: (policy: LivenessPolicy) => string;
  /** Advice that an application may show to the user. */
  readonly advice: string;
};

/** True unless the value is a number within the bounds: NaN never passes a gate. */
const outside = (value: number, low: number, high: number): boolean => !(value >= low && value <= high);

const share = (value: number): string => `${Math.round(100 * value)} %`;

/** Faces in the image, their size and position. */
const placeRules: readonly LivenessRule[] = [
  {
    result: "NoneBecauseFaceNotFound",
    holds: ({ face, policy }) => outside(face.presence, policy.presenceMin, 1),
    when: ({ presenceMin }) => `no face, or the landmark network's presence score is under ${presenceMin}`,
    advice: "Show your face to the camera.",
  },
  {
    result: "NoneBecauseTooManyFaces",
    holds: ({ image, policy }) => (image.faceWidths[1] ?? 0) >= policy.secondFaceShareMin,
    when: ({ secondFaceShareMin }) => `a second face, at least ${share(secondFaceShareMin)} as wide`,
    advice: "Be alone in the image.",
  },
  {
    result: "NoneBecauseFaceTooSmall",
    holds: ({ face, policy }) => outside(face.eyeDistancePx, policy.eyeDistancePxMin, Number.MAX_VALUE),
    when: ({ eyeDistancePxMin }) => `fewer than ${eyeDistancePxMin} pixels between the pupils`,
    advice: "Come closer.",
  },
  {
    result: "NoneBecauseFaceTooClose",
    holds: ({ image, face, policy }) =>
      faceShare(image, face) > policy.faceShareMax || image.cues?.networkSilence === "face-too-large",
    when: ({ faceShareMax }) =>
      `the face fills more than ${share(faceShareMax)} of the width or the height, or more of the width than a liveness network in force may be shown`,
    advice: "Hold the camera further away.",
  },
  {
    result: "NoneBecauseFaceCropped",
    holds: ({ face, policy }) => outside(face.outsideShare, 0, policy.outsideShareMax),
    when: ({ outsideShareMax }) => `more than ${share(outsideShareMax)} of the landmarks lie outside`,
    advice: "Bring your whole face into the image.",
  },
  {
    result: "NoneBecauseFaceTooCloseToBorder",
    holds: ({ face, policy }) => outside(face.borderMargin, policy.borderMarginMin, Number.MAX_VALUE),
    when: ({ borderMarginMin }) =>
      `less than ${share(borderMarginMin)} of the face's width lies between it and the border`,
    advice: "Bring your face to the middle.",
  },
];

/** Pose, occlusion, then light and focus. */
const viewRules: readonly LivenessRule[] = [
  {
    result: "NoneBecauseAngleTooLarge",
    holds: ({ face, policy }) => isPoseTooLarge(face, policy),
    when: ({ yawDegreesMax, pitchDegreesMax, rollDegreesMax }) =>
      `rotated more than ${yawDegreesMax}° aside, ${pitchDegreesMax}° up or down, or tilted more than ${rollDegreesMax}°`,
    advice: "Look straight into the camera.",
  },
  {
    result: "NoneBecauseFaceOccluded",
    holds: ({ face, policy }) => isCovered(face, policy),
    when: ({ eyeToSkinMin }) =>
      `mouth and chin have another colour than the skin, or the eyes less than ${share(eyeToSkinMin)} of its light`,
    advice: "Take off mask and sunglasses.",
  },
  {
    result: "NoneBecauseEyesClosed",
    holds: ({ face, policy }) =>
      face.eyeOpenness !== undefined && Math.max(...face.eyeOpenness) < policy.eyeOpennessMin,
    when: ({ eyeOpennessMin }) => `both eyes are open by less than ${eyeOpennessMin} of their width`,
    advice: "Open your eyes.",
  },
  {
    result: "NoneBecauseBadQuality",
    holds: ({ face, policy }) => isPoor(face, policy),
    when: ({ sharpnessMin, brightnessMin, brightnessMax, contrastMin, blownOutMax }) =>
      `sharpness under ${sharpnessMin}, brightness outside ${brightnessMin} to ${brightnessMax}, contrast under ${contrastMin}, or more than ${share(blownOutMax)} blown out`,
    advice: "Look for more and even light, and hold still.",
  },
];

/**
 * Corrections for the user, in their order. The first rule that holds is the result. The search for an attack
 * starts only where no rule holds: a poor image alone is no attack.
 */
export const livenessRules: readonly LivenessRule[] = [...placeRules, ...viewRules];

const faceShare = (image: MeasuredImage, { box }: MeasuredFace): number =>
  Math.max(box.width / image.width, box.height / image.height);

const isPoseTooLarge = ({ pose }: MeasuredFace, policy: LivenessPolicy): boolean =>
  outside(Math.abs(pose.yawDegrees), 0, policy.yawDegreesMax) ||
  outside(Math.abs(pose.pitchDegrees), 0, policy.pitchDegreesMax) ||
  outside(Math.abs(pose.rollDegrees), 0, policy.rollDegreesMax);

/** A mask or hand over mouth and chin, or lenses that hide the eyes. */
const isCovered = ({ quality }: MeasuredFace, policy: LivenessPolicy): boolean =>
  quality.lowerFaceChroma > policy.lowerFaceChromaMax || quality.eyeToSkin < policy.eyeToSkinMin;

const isPoor = ({ quality }: MeasuredFace, policy: LivenessPolicy): boolean =>
  outside(quality.sharpness, policy.sharpnessMin, Number.MAX_VALUE) ||
  outside(quality.brightness, policy.brightnessMin, policy.brightnessMax) ||
  outside(quality.contrast, policy.contrastMin, Number.MAX_VALUE) ||
  outside(quality.blownOut, 0, policy.blownOutMax);

/** The results of liveness, without the deprecated `Spoof` and `Uncertain`. */
export type LivenessResult = Exclude<LivenessDiagnostic, "Spoof" | "Uncertain">;
